import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** A link that streams a file to the disk carries no header: what it goes with instead, and how little that opens. */
const testing = testDatabase(import.meta.url);
const tenantId = testIds.uuid();
const file = `/apollo/api/${tenantId}/audit/export?format=csv`;
let server: TestServer;
let owner: SignedIn;

beforeAll(async () => {
  server = await testServer(testing);
  const own = await server.owner();
  owner = own;
  await testing.database.within({ organisationId: own.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' }))
      .execute(),
  );
});
afterAll(() => server.close());

async function ask(address: string, who: SignedIn = owner): Promise<Response> {
  const answer = await server.send('/apollo/download-passes', { token: who.tokens.main, body: { address } });
  await answer.text();
  return answer;
}

/** The cookie of a pass, as the browser would send it back. */
async function pass(who?: SignedIn): Promise<string> {
  const [cookie = ''] = (await ask(file, who)).headers.getSetCookie();
  return cookie.split(';', 1)[0] ?? '';
}

/** What a link gets that comes with this cookie. */
async function follow(cookie: string, address = file, headers: Record<string, string> = {}): Promise<number> {
  const answer = await server.send(address, { headers: { cookie, ...headers } });
  await answer.text();
  return answer.status;
}

test('a link with a pass gets the file, and the pass is used up', async () => {
  const cookie = await pass();
  expect(await follow(cookie, file, { 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await follow(cookie)).toBe(401);
});

test('of two who come with one pass at a time one gets the file', async () => {
  const cookie = await pass();
  expect((await Promise.all([follow(cookie), follow(cookie)])).toSorted((left, right) => left - right)).toEqual([200, 401]);
});

test('the cookie goes to its address alone, for a minute, out of the reach of scripts and other sites', async () => {
  const [cookie = ''] = (await ask(file)).headers.getSetCookie();
  const attributes = cookie.split('; ').slice(1);
  expect(attributes).toEqual(
    expect.arrayContaining([`Path=/apollo/api/${tenantId}/audit/export`, 'Max-Age=60', 'HttpOnly', 'SameSite=Strict']),
  );
});

test('a pass opens nothing but its address: no other query, no other call, no other audience', async () => {
  const cookie = await pass();
  const others = [file.replace('csv', 'jsonl'), '/apollo/api/Tenants', file.replace('/apollo/', '/apollo-beta/')];
  expect(await Promise.all(others.map((address) => follow(cookie, address)))).toEqual([401, 401, 401]);
  expect(await follow(cookie)).toBe(200);
});

test('another site that makes the browser follow the link gets nothing', async () => {
  const cookie = await pass();
  expect(await follow(cookie, file, { 'sec-fetch-site': 'cross-site' })).toBe(401);
});

test('a pass ends after a minute, and with its session', async () => {
  const late = await pass();
  await testing.asSuperuser("update session_tokens set expires_at = now() - interval '1 second' where kind = 'download'");
  expect(await follow(late)).toBe(401);
  const own = await server.owner();
  const left = await pass(own);
  await (await server.send('/apollo/sessions?includeCurrent=true', { method: 'DELETE', token: own.tokens.main })).text();
  expect(await follow(left)).toBe(401);
});

test('a pass gives no rights: what its holder may not fetch stays refused', async () => {
  const stranger = await server.owner();
  expect(await follow(await pass(stranger))).toBe(404);
});

test('passes are for files of the same audience, and their address can not smuggle anything into a cookie', async () => {
  const refused = ['/healthz', `/apollo-beta/api/${tenantId}/audit/export`];
  expect(await Promise.all(refused.map(async (address) => (await ask(address)).status))).toEqual([404, 404]);
  const malformed = [
    `${file}; Domain=example.com`,
    '/apollo/api/x\r\nSet-Cookie: a=b',
    'https://example.com/apollo/api/x',
    '//example.com',
  ];
  expect(await Promise.all(malformed.map(async (address) => (await ask(address)).status))).toEqual([400, 400, 400, 400]);
});
