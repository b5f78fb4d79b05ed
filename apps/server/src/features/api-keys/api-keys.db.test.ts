import { mayDo, type Role } from '@holdfast/contract/actions';
import type { ApiKey } from '@holdfast/contract/api-keys';
import { opensToKeys, type Route } from '@holdfast/contract/route';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyRoute } from '../../http/every-route.ts';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** API keys over HTTP: what they open, for how long, from where. */
const testing = testDatabase(import.meta.url);
const tenantId = testIds.uuid();
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;

type Made = ApiKey & { readonly key: string };

beforeAll(async () => {
  server = await testServer(testing, { settings: { HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' } });
  owner = await server.owner();
  await testing.database.within({ organisationId: owner.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'provisioning' }))
      .execute(),
  );
});
afterAll(() => server.close());

async function create(who: SignedIn, body: object = {}): Promise<Made> {
  const answer = await server.send('/apollo/api/api-keys', {
    token: who.tokens.main,
    body: { name: 'Monitoring', role: 'operator', days: 30, ...body },
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Made;
}

async function listed(who: SignedIn): Promise<ApiKey[]> {
  const answer = await server.send('/apollo/api/api-keys', { token: who.tokens.main });
  return ((await answer.json()) as { items: ApiKey[] }).items;
}

const stateOf = async (apiKeyId: string): Promise<string | undefined> =>
  (await listed(owner)).find((key) => key.apiKeyId === apiKeyId)?.state;

const status = async (key: string, path = '/apollo/api/Tenants', headers: Record<string, string> = {}): Promise<number> =>
  (await server.send(path, { token: key, headers })).status;

test('a key is shown once, opens the tenants of its organisation alone, and shows when it was last used', async () => {
  const stranger = await server.owner();
  await testing.database.within({ organisationId: stranger.organisationId, realm: 'production' }, (tx) =>
    tx.insertInto('tenants').values(aTenantRow()).execute(),
  );
  const made = await create(owner);
  expect(made.key).toMatch(/^hf_key_[\w-]{43}$/);
  const answer = await server.send('/apollo/api/Tenants', { token: made.key });
  const { items } = (await answer.json()) as { items: { tenantId: string }[] };
  expect(items.map((tenant) => tenant.tenantId)).toEqual([tenantId]);
  const text = JSON.stringify(await listed(owner));
  expect(text).not.toContain(made.key.slice(7));
  const { key: _, ...shown } = made;
  expect(await listed(owner)).toContainEqual({ ...shown, lastUsedAt: expect.any(String), lastUsedAddress: '127.0.0.1' });
  const rows = await testing.asSuperuser('select * from api_keys');
  expect(JSON.stringify(rows)).not.toContain(made.key.slice(7));
});

/** The status of one call with a key; a server that lags behind refuses before it looks, then it is asked again. */
async function statusOf(route: Route, to: string, key: string): Promise<number> {
  const controller = new AbortController();
  const authorization = route.surface === 'legacy' ? key : `Bearer ${key}`;
  const answer = await fetch(`${server.address}${to}`, { method: route.method, headers: { authorization }, signal: controller.signal });
  controller.abort();
  if (answer.status !== 503) return answer.status;
  await pause(100);
  return statusOf(route, to, key);
}

const VALUES: Readonly<Record<string, string>> = { tenantId, sequence: '1', number: '1' };

test('every call answers a key with what its role and the table of the contract leave to keys, and no other surface knows it', async () => {
  const wrong: string[] = [];
  const counts = { opened: 0, denied: 0, elsewhere: 0 };
  for (const role of ['administrator', 'operator', 'auditor', 'reader'] as const satisfies readonly Role[]) {
    const { key } = await create(owner, { role });
    for (const { route, path } of everyRoute()) {
      if (route.action === 'public') continue;
      const to = path.replaceAll(/:(\w+)/g, (_, name: string) => VALUES[name] ?? testIds.uuid());
      const isLegacy = route.surface === 'legacy';
      const got = await statusOf(route, to, key);
      const may = opensToKeys(route) && (route.action === 'session' || mayDo(role, route.action));
      const isRight = isLegacy ? got === 401 : may ? ![401, 403].includes(got) : [401, 403].includes(got);
      if (!isRight) wrong.push(`${role}: ${route.method} ${path}: ${got}`);
      counts[isLegacy ? 'elsewhere' : may ? 'opened' : 'denied'] += 1;
    }
    expect(await status(key, '/apollo-beta/api/Tenants')).toBe(401);
  }
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
  process.stdout.write(`api keys: ${JSON.stringify(counts)}, 0 wrong\n`);
}, 120_000);

test('a key opens nothing from outside its networks', async () => {
  const { key } = await create(owner, { networks: ['203.0.113.0/24', '2001:db8::/32'] });
  const from = (address: string) => status(key, '/apollo/api/Tenants', { 'x-forwarded-for': address });
  expect([await from('203.0.113.9'), await from('2001:db8::9'), await from('203.0.114.9'), await status(key)]).toEqual([
    200, 200, 401, 401,
  ]);
});

test('a key that was ended or has expired opens nothing, and ending it is recorded with who did it', async () => {
  const ended = await create(owner, { name: 'Nightly' });
  const expired = await create(owner);
  expect([await status(ended.key), await status(expired.key)]).toEqual([200, 200]);
  const remove = () => server.send(`/apollo/api/api-keys/${ended.apiKeyId}`, { method: 'DELETE', token: owner.tokens.main });
  expect((await remove()).status).toBe(204);
  expect(((await (await remove()).json()) as { code: string }).code).toBe('api-keys.over');
  await testing.asSuperuser("update api_keys set expires_at = now() - interval '1 second' where api_key_id = $1", [expired.apiKeyId]);
  expect([await status(ended.key), await status(expired.key)]).toEqual([401, 401]);
  expect([await stateOf(ended.apiKeyId), await stateOf(expired.apiKeyId)]).toEqual(['ended', 'expired']);
  expect((await listed(owner)).find((key) => key.apiKeyId === ended.apiKeyId)?.endedBy).toBe(owner.email);
});

test('a stream that a key holds open ends with the key', async () => {
  const { key, apiKeyId } = await create(owner);
  const stream = await server.send(`/apollo/api/${tenantId}/events`, { token: key });
  expect(stream.status).toBe(200);
  const told = stream.text();
  expect((await server.send(`/apollo/api/api-keys/${apiKeyId}`, { method: 'DELETE', token: owner.tokens.main })).status).toBe(204);
  expect(await told).toContain('retry:');
});

test('a key ends with the membership of its person, and stops while their role is below its own', async () => {
  const admin = await server.member(owner.organisationId, 'administrator');
  const made = await create(admin, { role: 'operator' });
  const change = (body: object) => server.send(`/apollo/api/members/${admin.accountId}`, { method: 'PUT', token: owner.tokens.main, body });
  expect((await change({ role: 'reader' })).status).toBe(200);
  expect([await status(made.key), await stateOf(made.apiKeyId)]).toEqual([401, 'suspended']);
  expect((await change({ role: 'operator' })).status).toBe(200);
  expect([await status(made.key), await stateOf(made.apiKeyId)]).toEqual([200, 'active']);
  expect((await change({ disabled: true })).status).toBe(200);
  expect(await status(made.key)).toBe(401);
  expect((await change({ disabled: false })).status).toBe(200);
  expect(await status(made.key)).toBe(200);
  const removed = await server.send(`/apollo/api/members/${admin.accountId}`, { method: 'DELETE', token: owner.tokens.main });
  expect(removed.status).toBe(204);
  expect([await status(made.key), await stateOf(made.apiKeyId)]).toEqual([401, 'ended']);
});

test('nobody gives a key a role above their own, and other organisations see neither keys nor whether they exist', async () => {
  const admin = await server.member(owner.organisationId, 'administrator');
  const above = await server.send('/apollo/api/api-keys', {
    token: admin.tokens.main,
    body: { name: 'Above', role: 'owner', days: 30 },
  });
  expect(above.status).toBe(400);
  const operator = await server.member(owner.organisationId, 'operator');
  expect((await server.send('/apollo/api/api-keys', { token: operator.tokens.main })).status).toBe(403);
  const stranger = await server.owner();
  const { apiKeyId } = await create(owner);
  const foreign = await server.send(`/apollo/api/api-keys/${apiKeyId}`, { method: 'DELETE', token: stranger.tokens.main });
  expect(foreign.status).toBe(404);
  expect(await listed(stranger)).toEqual([]);
});

test('an organisation has at most 100 valid keys, however many are asked for at once', async () => {
  const busy = await server.owner();
  const ask = () =>
    server
      .send('/apollo/api/api-keys', { token: busy.tokens.main, body: { name: 'Many', role: 'reader', days: 1 } })
      .then((answer) => answer.status);
  for (let batch = 0; batch < 9; batch += 1) await Promise.all(Array.from({ length: 11 }, ask));
  const last = await Promise.all(Array.from({ length: 5 }, ask));
  expect(last.toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409, 409]);
});

test('what a key does is recorded under its name', async () => {
  const auditor = await create(owner, { name: 'Collector', role: 'auditor' });
  expect(await status(auditor.key, `/apollo/api/${tenantId}/audit/export?format=csv`)).not.toBe(403);
  const reader = await create(owner, { name: 'Screen', role: 'reader' });
  expect(await status(reader.key, `/apollo/api/${tenantId}/audit`)).toBe(403);
  const lines = async (): Promise<string[]> => {
    const answer = await server.send(`/apollo/api/${tenantId}/audit?limit=200`, { token: auditor.key });
    return ((await answer.json()) as { items: { actor: string; event: string }[] }).items.map(({ event, actor }) => `${event} ${actor}`);
  };
  // A denial is written down after it was answered.
  await expect.poll(lines).toContain(`access.denied ${owner.email} (API key Screen)`);
  expect(await lines()).toContain(`audit.exported ${owner.email} (API key Collector)`);
});
