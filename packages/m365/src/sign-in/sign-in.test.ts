import { createIds } from '@holdfast/foundation/ids';
import { createSeededRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { collect, once } from '@holdfast/foundation/streams';
import { describe, expect, it } from 'vitest';
import { aCertificate } from '../../testing/a-certificate.ts';
import { passTime } from '../../testing/a-client.ts';
import type { Transport, WireRequest } from '../http/transport.ts';
import { graphError, graphOutcome, isGraphError, type GraphErrorCode } from '../errors/errors.ts';
import type { GraphCredential } from './credential.ts';
import { createTokenRequest } from './token-request.ts';
import { createTokenSource, permissionsOf } from './token-source.ts';

interface Answer {
  readonly status: number;
  readonly json: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const secret: GraphCredential = { kind: 'secret', clientId: '11111111-0000-4000-8000-000000000001', clientSecret: new Secret('top') };
const granted: Answer = { status: 200, json: { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: 'a.b.c' } };
const refused = (number: number, error = 'invalid_client', status = 401): Answer => ({
  status,
  json: { error, error_description: `AADSTS${number}: no.`, error_codes: [number], trace_id: 'trace', correlation_id: 'corr' },
});

function aLogin(...answers: readonly Answer[]) {
  const sent: WireRequest[] = [];
  const transport: Transport = {
    send(request) {
      sent.push(request);
      const { status, json, headers = {} } = answers[Math.min(sent.length - 1, answers.length - 1)] ?? granted;
      const bytes = Buffer.from(JSON.stringify(json));
      const response = { status, headers: { 'content-type': 'application/json', ...headers }, body: once(bytes), discard: () => undefined };
      return Promise.resolve({ ...response, read: (limitBytes: number) => collect(once(bytes), limitBytes) });
    },
    close: () => Promise.resolve(),
  };
  return { sent, transport };
}

function aSignIn(login: { readonly transport: Transport }, credential: GraphCredential = secret) {
  const clock = createFakeClock();
  const random = createSeededRandom(1);
  const request = createTokenRequest({
    tenantId: 'contoso.example',
    credential,
    loginUrl: 'https://localhost:4443/login',
    transport: login.transport,
    clock,
    ids: createIds(clock, random),
  });
  return { clock, source: createTokenSource({ request, clock, random }) };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

describe('sign-in', () => {
  it('sends one POST to the configured address, and no discovery', async () => {
    const login = aLogin(granted);
    const { source } = aSignIn(login);
    expect((await source.current()).value).toBe('a.b.c');
    expect(login.sent).toHaveLength(1);
    const [sent] = login.sent;
    expect(`${sent?.method} ${sent?.url.origin}${sent?.url.pathname}`).toBe(
      'POST https://localhost:4443/login/contoso.example/oauth2/v2.0/token',
    );
    const form = new URLSearchParams(String(sent?.body));
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'client_credentials',
      client_secret: 'top',
      scope: expect.stringContaining('https://graph.microsoft.com/.default') as string,
    });
  });

  it('proves itself by certificate without sending the key', async () => {
    const login = aLogin(granted);
    const credential: GraphCredential = {
      kind: 'certificate',
      clientId: secret.clientId,
      certificatePem: aCertificate.certificatePem,
      privateKeyPem: new Secret(aCertificate.privateKeyPem),
    };
    await aSignIn(login, credential).source.current();
    const form = new URLSearchParams(String(login.sent[0]?.body));
    expect(form.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const claims = JSON.parse(Buffer.from(form.get('client_assertion')?.split('.')[1] ?? '', 'base64url').toString()) as { aud: string };
    expect(claims.aud).toBe('https://localhost:4443/login/contoso.example/oauth2/v2.0/token');
    expect(String(login.sent[0]?.body)).not.toContain('PRIVATE');
  });

  const cases: readonly [number, string, number, GraphErrorCode, string | undefined][] = [
    [7000215, 'invalid_client', 401, 'graph.credentials-refused', 'clientSecret'],
    [7000222, 'invalid_client', 401, 'graph.credentials-expired', 'clientSecret'],
    [700027, 'invalid_client', 401, 'graph.certificate-refused', 'certificate'],
    [700030, 'invalid_client', 401, 'graph.certificate-refused', 'certificate'],
    [700016, 'unauthorized_client', 400, 'graph.client-unknown', 'clientId'],
    [90002, 'invalid_request', 400, 'graph.tenant-unknown', 'tenantId'],
    [7000112, 'unauthorized_client', 400, 'graph.access-withdrawn', undefined],
    [65001, 'invalid_grant', 400, 'graph.access-withdrawn', undefined],
    [53003, 'invalid_grant', 400, 'graph.access-withdrawn', undefined],
    [530032, 'invalid_grant', 400, 'graph.access-withdrawn', undefined],
    [999999, 'invalid_client', 401, 'graph.credentials-refused', 'clientSecret'],
  ];
  it.each(cases)('reads AADSTS%i (%s, %i) as %s', async (...row) => {
    const [number, error, status, code, field] = row;
    const login = aLogin(refused(number, error, status));
    const { source, clock } = aSignIn(login);
    const failure = await failureOf(passTime(clock, source.current()));
    expect(isGraphError(failure, code) && failure.details).toMatchObject({ serviceCode: `AADSTS${number}`, field, requestId: 'trace' });
    expect(graphOutcome(failure)).toBe('tenant');
    expect(login.sent).toHaveLength(1);
  });

  it('does not ask again after a refusal until it is told to', async () => {
    const login = aLogin(refused(7000215), granted);
    const { source, clock } = aSignIn(login);
    await failureOf(passTime(clock, source.current()));
    await failureOf(source.current());
    expect(login.sent).toHaveLength(1);
    await source.fresh();
    expect((await source.current()).value).toBe('a.b.c');
  });

  it('says how far the clocks are apart', async () => {
    const { source, clock } = aSignIn(aLogin({ ...refused(700024), headers: { date: 'Thu, 01 Jan 2026 00:07:00 GMT' } }));
    const failure = await failureOf(passTime(clock, source.current()));
    expect(isGraphError(failure, 'graph.clock-skewed') && failure.details['clockAheadMs']).toBe(-420_000);
  });

  it('tries transient failures five times', async () => {
    const login = aLogin(refused(90033, 'temporarily_unavailable', 503));
    const { source, clock } = aSignIn(login);
    expect(isGraphError(await failureOf(passTime(clock, source.current())), 'graph.sign-in-unavailable')).toBe(true);
    expect(login.sent).toHaveLength(5);
  });

  it('goes on when the network comes back', async () => {
    let tries = 0;
    const login = aLogin(granted);
    const flaky: Transport = {
      ...login.transport,
      send: (request) =>
        ++tries < 3 ? Promise.reject(graphError('graph.network', { system: 'ECONNRESET' })) : login.transport.send(request),
    };
    const { source, clock } = aSignIn({ transport: flaky });
    expect((await passTime(clock, source.current())).value).toBe('a.b.c');
  });
});

describe('a token', () => {
  it('lists its roles, and an opaque one lists none', () => {
    const payload = Buffer.from(JSON.stringify({ roles: ['Mail.Read', 5] })).toString('base64url');
    expect(permissionsOf(`x.${payload}.y`)).toEqual({ roles: ['Mail.Read'], scopes: [] });
    const delegated = Buffer.from(JSON.stringify({ scp: 'Presence.Read openid' })).toString('base64url');
    expect(permissionsOf(`x.${delegated}.y`)).toEqual({ roles: [], scopes: ['Presence.Read', 'openid'] });
    expect(permissionsOf('opaque')).toEqual({ roles: [], scopes: [] });
  });
});
