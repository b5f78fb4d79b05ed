import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as askPlain } from 'node:http';
import { request as ask } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OrganisationId } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '../features/documents/testing/pdf.ts';
import { aTenantRow, testIds } from '../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../testing/test-server.ts';
import { hasWebServer, ownAddress, publicHost, startWebServer, webServers, type WebServer } from '../testing/web-servers.ts';
import { announce } from '../events/live-events.ts';

/** The files of docs/operations/front, run by the real programs in front of the running server. */
const testing = testDatabase(import.meta.url);
const organisationId = testIds.uuid() as OrganisationId;
const tenant = aTenantRow();
let server: TestServer;
let owner: SignedIn;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-behind-'));
  server = await testServer(testing, {
    settings: {
      HOLDFAST_IDENTITY_PROFILE: 'hardened',
      HOLDFAST_REGISTRATION: 'open',
      HOLDFAST_SECOND_FACTOR: 'optional',
      HOLDFAST_PUBLIC_URL: `https://${publicHost}`,
      HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
      HOLDFAST_LOCATION_ROOTS: folder,
      // With it there is a /mailbox to be kept closed.
      HOLDFAST_DEMO_EMAIL: 'demo@example.com',
    },
  });
  // Where limits are off and nobody's address has to be confirmed.
  const maker = await testServer(testing);
  owner = await maker.member(organisationId, 'owner');
  await maker.close();
  await testing.asSuperuser('update accounts set email_confirmed = true');
  await testing.asSuperuser('update organisations set abbr = $2 where organisation_id = $1', [organisationId, 'contoso']);
  await testing.database.within({ organisationId, realm: 'production' }, (tx) => tx.insertInto('tenants').values(tenant).execute());
  const location = { kind: 'filesystem', name: 'Vault', path: path.join(folder, 'vault') };
  const made = await server.send(`/apollo/api/${tenant.tenant_id}/locations`, { token: owner.tokens.main, body: location });
  if (made.status !== 201) throw new Error(await made.text());
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The address of this machine that is connected to, and so from. */
  readonly by?: string;
}

/** Sends a request by HTTPS to the web server, under the public name. */
async function open(port: number, to: string, { method, headers, body, by = '127.0.0.1' }: Asked = {}): Promise<IncomingMessage> {
  const sent = ask({
    host: by,
    port,
    path: to,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    servername: publicHost,
    rejectUnauthorized: false,
    agent: false,
    headers: { host: publicHost, ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

/** The whole answer; a server that lags behind refuses before it counts, then it is asked again. */
async function send(port: number, to: string, asked: Asked = {}): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const answer = await open(port, to, asked);
  if (answer.statusCode === 503) {
    answer.resume();
    await pause(100);
    return send(port, to, asked);
  }
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += String(part);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

const signIn = (email: string) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email, password: 'Wrong-Guess-1!' }),
});

const KEPT = ['content-security-policy', 'strict-transport-security', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];

describe.each(webServers)('behind %s', (name) => {
  describe.skipIf(!hasWebServer(name))(`with its file${hasWebServer(name) ? '' : ' (the program is not on this machine)'}`, () => {
    let front: WebServer;
    beforeAll(async () => {
      front = await startWebServer(name, new URL(server.address).host);
    });
    afterAll(() => front.stop());

    test('HTTP leads to HTTPS, and every header of the product arrives once', async () => {
      const plain = askPlain({ host: '127.0.0.1', port: front.http, path: '/signin', headers: { host: publicHost }, agent: false }).end();
      const [redirect] = (await once(plain, 'response')) as [IncomingMessage];
      redirect.resume();
      expect([301, 308]).toContain(redirect.statusCode);
      expect(redirect.headers.location).toMatch(new RegExp(String.raw`^https://${publicHost}(?::\d+)?/signin$`));
      const direct = await server.send('/apollo/identity/policy');
      const through = await send(front.https, '/apollo/identity/policy');
      expect(through.status).toBe(200);
      for (const header of KEPT) expect([header, through.headers[header]]).toEqual([header, direct.headers.get(header)]);
    });

    test('figures and mails of this machine stay closed to whoever comes through it', async () => {
      for (const to of ['/metrics', '/mailbox']) {
        expect((await send(front.https, to)).status).toBe(404);
        expect((await send(front.https, to, { headers: { host: publicHost, 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404);
      }
    });

    test('an event arrives while its stream stays open', async () => {
      const to = `/apollo/api/${tenant.tenant_id}/events`;
      const answer = await open(front.https, to, { headers: { authorization: `Bearer ${owner.tokens.main}` } });
      expect(answer.statusCode).toBe(200);
      const jobId = testIds.uuid();
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      const scope = { organisationId, realm: 'production' } as const;
      const event = { name: 'jobs.changed', tenantId: tenant.tenant_id, data: { jobId } } as const;
      // The server listens to the database a moment after it has begun to answer.
      const told = async (): Promise<string> => {
        await testing.database.within(scope, (tx) => announce(tx, scope, event));
        return text;
      };
      await expect.poll(told, { timeout: 30_000 }).toContain(jobId);
      expect(answer.complete).toBe(false);
      answer.destroy();
    });

    test('a file as large as is allowed is taken and given back', async () => {
      const bytes = aPdf({ objects: [`(${'x'.repeat(2_900_000)})`] });
      const form = new FormData();
      form.append('abbr', 'contoso');
      form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), `${name}.pdf`);
      form.append('documentType', 'document');
      const encoded = new Response(form);
      const headers = { authorization: owner.tokens.legacy, 'content-type': encoded.headers.get('content-type') ?? '' };
      const body = Buffer.from(await encoded.arrayBuffer());
      const made = await send(front.https, '/api/files/upload-file', { headers, body });
      expect([made.status, made.text]).toEqual([201, expect.stringContaining(`"size":${bytes.byteLength}`)]);
      const file = await send(front.https, `/api/files/download/${name}.pdf/contoso/document`, {
        headers: { authorization: owner.tokens.legacy },
      });
      expect([file.status, Buffer.byteLength(file.text, 'latin1') > 2_900_000]).toEqual([200, true]);
    });

    test.skipIf(ownAddress === undefined)('limits count the address of the caller, whatever it claims', async () => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 21; turn += 1) {
        const { headers, body } = signIn(`${name}${turn}@example.com`);
        const claimed = { ...headers, 'x-forwarded-for': `203.0.113.${turn + 1}` };
        statuses.push(
          (await send(front.https, '/apollo/login', { headers: claimed, body, ...(ownAddress === undefined ? {} : { by: ownAddress }) }))
            .status,
        );
      }
      expect(statuses.at(-1)).toBe(429);
      expect((await send(front.https, '/apollo/login', signIn('somebody@example.com'))).status).toBe(401);
      // Each web server is asked from the same address.
      await testing.asSuperuser('delete from rate_limits');
    });
  });
});
