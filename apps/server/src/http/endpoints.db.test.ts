import { mayDo } from '@holdfast/contract/actions';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../testing/rows.ts';
import { testServer, type Audience, type SignedIn, type TestServer } from '../testing/test-server.ts';
import { everyRoute, type NamedRoute } from './every-route.ts';

/** Generated from the contract, without exceptions: who gets what answer at which route. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let owner: SignedIn;
let reader: SignedIn;
let outsider: SignedIn;
const tenants = { production: testIds.uuid(), staging: testIds.uuid() };

beforeAll(async () => {
  server = await testServer(testing);
  const own = await server.owner();
  owner = own;
  reader = await server.member(own.organisationId, 'reader');
  outsider = await server.owner();
  for (const realm of ['production', 'staging'] as const) {
    await testing.database.within({ organisationId: own.organisationId, realm }, (tx) =>
      tx
        .insertInto('tenants')
        .values(aTenantRow({ tenant_id: tenants[realm], name: 'Contoso', status: 'connected' }))
        .execute(),
    );
  }
});
afterAll(() => server.close());

interface Served extends NamedRoute {
  readonly audience: Audience;
  readonly address: (tenantId?: string) => string;
}

const PLACES: Readonly<Record<string, string>> = {
  workerIp: '203.0.113.7',
  indexIp: '203.0.113.8',
  type: 'exchange',
  prefix: 'backup',
  sequence: '1',
  number: '1',
  nodeId: 'root',
  documentType: 'document',
  messageId: 'a'.repeat(64),
  part: '1',
  position: '1',
  page: '1',
  token: 'x'.repeat(43),
  ticket: 'x'.repeat(43),
};

function fill(path: string, tenantId: string): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => (name === 'tenantId' ? tenantId : (PLACES[name] ?? testIds.uuid())));
}

function served(): Served[] {
  return everyRoute().flatMap((named): Served[] => {
    const surface = named.route.surface ?? 'main';
    const at = (path: string, realm: 'production' | 'staging') => (tenantId?: string) => fill(path, tenantId ?? tenants[realm]);
    if (surface === 'legacy') {
      const path = named.path.replace('/api', '/apollo-beta');
      const staged = { ...named, path, audience: 'staging', address: at(path, 'staging') } as const;
      return [{ ...named, audience: 'legacy', address: at(named.path, 'production') }, ...(named.route.staged ? [staged] : [])];
    }
    const staging = named.path.replace('/apollo', '/apollo-beta');
    return [
      { ...named, audience: 'main', address: at(named.path, 'production') },
      { ...named, path: staging, audience: 'staging', address: at(staging, 'staging') },
    ];
  });
}

const guarded = served().filter(({ route }) => route.action !== 'public');
const ofTenant = guarded.filter(({ path, route }) => path.includes(':tenantId') && route.action !== 'session');
const name = ({ route, path }: Served): string => `${route.method} ${path}`;

async function status(route: Served, token: string | undefined, tenantId?: string): Promise<number> {
  const answer = await server.send(route.address(tenantId), {
    method: route.route.method,
    audience: route.audience,
    ...(token === undefined ? {} : { token }),
  });
  await answer.body?.cancel();
  return answer.status;
}

async function differing(routes: readonly Served[], expected: number, ask: (route: Served) => Promise<number>): Promise<string[]> {
  const wrong: string[] = [];
  for (const route of routes) {
    const got = await ask(route);
    if (got !== expected) wrong.push(`${name(route)}: ${got}`);
  }
  return wrong;
}

describe('every route of the contract', () => {
  test('refuses a request without a token', async () => {
    expect(await differing(guarded, 401, (route) => status(route, undefined))).toEqual([]);
  });

  test('refuses a token of each other audience', async () => {
    let asked = 0;
    for (const audience of ['main', 'staging', 'legacy'] as const) {
      const others = guarded.filter((route) => route.audience !== audience);
      asked += others.length;
      expect(await differing(others, 401, (route) => status(route, owner.tokens[audience]))).toEqual([]);
    }
    process.stdout.write(`audiences: ${asked} requests with a token of another audience over ${guarded.length} routes, 0 opened\n`);
  });

  test('refuses a reader what the matrix does not give to readers', async () => {
    const forbidden = ofTenant.filter(
      ({ route }) => route.action !== 'public' && route.action !== 'session' && !mayDo('reader', route.action),
    );
    expect(forbidden.length).toBeGreaterThan(20);
    expect(await differing(forbidden, 403, (route) => status(route, reader.tokens[route.audience]))).toEqual([]);
  });

  test('answers for a tenant of another organisation as for one that does not exist', async () => {
    expect(await differing(ofTenant, 404, (route) => status(route, outsider.tokens[route.audience]))).toEqual([]);
    const [route] = ofTenant;
    if (!route) throw new Error('There is no route of a tenant.');
    const bodies = await Promise.all(
      [undefined, testIds.uuid()].map(async (tenantId) => {
        const answer = await server.send(route.address(tenantId), { token: outsider.tokens.main, method: route.route.method });
        const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
        return { body, type: answer.headers.get('content-type') };
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });

  test('answers 400 to an id that is none', async () => {
    expect(await differing(ofTenant, 400, (route) => status(route, owner.tokens[route.audience], 'not-an-id'))).toEqual([]);
  });

  test('is served: no path of the contract is unknown', async () => {
    const unserved: string[] = [];
    for (const route of served()) {
      const answer = await server.send(route.address(), { method: 'OPTIONS' });
      await answer.body?.cancel();
      const allowed = answer.headers.get('allow') ?? '';
      if (answer.status !== 405 || !allowed.split(', ').includes(route.route.method)) unserved.push(name(route));
    }
    expect(unserved).toEqual([]);
  });
});

describe('every answer', () => {
  test('has the same security headers, errors included', async () => {
    for (const path of ['/apollo/api/Tenants', '/apollo/nowhere', '/healthz', '/api/clients']) {
      const { headers } = await server.send(path);
      expect(
        Object.fromEntries(
          ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'x-frame-options'].map((key) => [
            key,
            headers.get(key),
          ]),
        ),
      ).toEqual({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('to malformed JSON, a wrong type and a body that is too large is a problem document', async () => {
    const post = (body: string, type: string) =>
      fetch(`${server.address}/apollo/api/${tenants.production}/jobs`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${owner.tokens.main}`, 'content-type': type },
      });
    for (const [body, type, expected] of [
      ['{"a":', 'application/json', 400],
      ['{"__proto__":{}}', 'application/json', 400],
      ['a=1', 'application/x-www-form-urlencoded', 415],
      [JSON.stringify('x'.repeat(1_100_000)), 'application/json', 413],
    ] as const) {
      const answer = await post(body, type);
      expect(answer.status).toBe(expected);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toMatchObject({ status: expected, requestId: answer.headers.get('x-request-id') });
    }
  });

  test('speaks the language that was asked for', async () => {
    const answer = await server.send('/apollo/api/Tenants', { headers: { 'accept-language': 'de-DE,de;q=0.9,en;q=0.1' } });
    expect(await answer.json()).toMatchObject({ message: 'Nicht autorisiert', code: 'unauthorized' });
  });
});
