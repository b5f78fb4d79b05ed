import { once } from 'node:events';
import { request as ask, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../testing/rows.ts';
import { testPassword, testServer, type TestServer } from '../testing/test-server.ts';

/** What a stranger can send to the running server, behind a proxy on the same machine. */
const testing = testDatabase(import.meta.url);
let server: TestServer;

beforeAll(async () => {
  server = await testServer(testing, {
    settings: {
      HOLDFAST_IDENTITY_PROFILE: 'hardened',
      HOLDFAST_REGISTRATION: 'open',
      HOLDFAST_SECOND_FACTOR: 'optional',
      HOLDFAST_TRUSTED_PROXIES: '127.0.0.1',
      HOLDFAST_DEMO_EMAIL: 'demo@example.com',
    },
  });
});
afterAll(() => server.close());

/**
 * One request through the proxy for a caller, or straight from this machine, under any name. A server that lags behind
 * refuses before it counts; then it is asked again.
 */
async function status(path: string, headers: Readonly<Record<string, string>>, body?: object): Promise<number> {
  for (;;) {
    const answered = await statusOnce(path, headers, body);
    if (answered !== 503) return answered;
    await pause(100);
  }
}

async function statusOnce(path: string, headers: Readonly<Record<string, string>>, body?: object): Promise<number> {
  const sent = ask(`${server.address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

async function times(count: number, one: (turn: number) => Promise<number>): Promise<number[]> {
  const got: number[] = [];
  for (let turn = 0; turn < count; turn += 1) got.push(await one(turn));
  return got;
}

test('a header that anybody can make up gets no count of its own: all of an address share one', async () => {
  const got = await times(320, (turn) =>
    status('/apollo/api/Tenants', { 'x-forwarded-for': '203.0.113.10', authorization: `Bearer made-up-${turn}` }),
  );
  expect(new Set(got.slice(0, 300))).toEqual(new Set([401]));
  expect(new Set(got.slice(300))).toEqual(new Set([429]));
  expect(await status('/apollo/api/Tenants', { 'x-forwarded-for': '203.0.113.11' })).toBe(401);
});

test('an IPv6 network counts as one caller, whatever address of it is used', async () => {
  const got = await times(21, (turn) =>
    status(
      '/apollo/login',
      { 'x-forwarded-for': `2001:db8:7:7::${turn + 1}` },
      { email: `guess${turn}@example.com`, password: 'Wrong-Guess-1!' },
    ),
  );
  expect(got.at(-1)).toBe(429);
  expect(got.filter((one) => one === 429)).toHaveLength(1);
});

test('guesses of a stranger elsewhere use up nobody’s attempts', async () => {
  const email = 'wanted@example.com';
  const from = (address: string) => status('/apollo/login', { 'x-forwarded-for': address }, { email, password: 'Wrong-Guess-1!' });
  expect((await times(11, () => from('203.0.113.20'))).at(-1)).toBe(429);
  expect(await from('203.0.113.21')).toBe(401);
});

test('one mailbox gets few mails, from however many addresses they are asked for', async () => {
  const got = await times(7, (turn) =>
    status('/api/auth/forgot-password', { 'x-forwarded-for': `203.0.113.${30 + turn}` }, { email: 'flooded@example.com' }),
  );
  expect(got.filter((one) => one === 429)).toHaveLength(2);
  expect(got.slice(0, 5)).not.toContain(429);
});

test.each(['/metrics', '/mailbox'])('%s is for this machine alone: under its own name, and not for whom a proxy speaks', async (to) => {
  const host = server.address.slice('http://'.length);
  expect(await status(to, { host })).toBe(200);
  expect(await status(to, { host: host.replace('127.0.0.1', 'localhost') })).toBe(200);
  for (const headers of [
    { host: 'rebound.example' },
    { host: 'localhost.rebound.example' },
    { host, 'x-forwarded-for': '203.0.113.40' },
    { host, 'x-forwarded-for': '127.0.0.1' },
    { host, forwarded: 'for=127.0.0.1' },
  ]) {
    expect(await status(to, headers)).toBe(404);
  }
});

test('a prefix that could be read in many ways is refused at once, by the name of its field', async () => {
  const conformance = await testServer(testing);
  try {
    const owner = await conformance.owner();
    const tenantId = testIds.uuid();
    const tenant = aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' });
    const scope = { organisationId: owner.organisationId, realm: 'production' } as const;
    await testing.database.within(scope, (tx) => tx.insertInto('tenants').values(tenant).execute());
    const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const place = { kind: 's3', name: 'Bucket', region: 'eu-central-1', bucket: 'backups', prefix: `${'a'.repeat(199)}!` };
    const answer = await conformance.send(`/apollo/api/${tenantId}/locations`, { token: owner.tokens.main, body: { ...place, ...keys } });
    expect(answer.status).toBe(400);
    expect(Object.keys(((await answer.json()) as { errors: object }).errors)).toEqual(['prefix']);
  } finally {
    await conformance.close();
  }
});

test('a person starts 5 exports and 60 searches a minute and uploads 30 files an hour; the parts of an import are not counted', async () => {
  const conformance = await testServer(testing);
  try {
    const { organisationId } = await conformance.owner();
    const { email } = await conformance.member(organisationId, 'owner', 'busy@example.com');
    const tenantId = testIds.uuid();
    const tenant = aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' });
    await testing.database.within({ organisationId, realm: 'production' }, (tx) => tx.insertInto('tenants').values(tenant).execute());
    const body = { email, password: testPassword, audiences: ['main', 'legacy'] };
    const signedIn = (await (await server.send('/api/auth/signin', { body })).json()) as {
      sessions: Record<'main' | 'legacy', { token: string }>;
    };
    const api = `/apollo/api/${tenantId}`;
    const raw = '--x\r\ncontent-disposition: form-data; name="other"\r\n\r\n1\r\n--x--\r\n';
    const form = { raw, headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    const refused = async (count: number, path: string, options: Parameters<TestServer['send']>[1] = {}): Promise<number> => {
      const { token } = signedIn.sessions[options.audience === 'legacy' ? 'legacy' : 'main'];
      const got = await times(count, async () => (await server.send(path, { ...options, token })).status);
      // Nothing valid is sent: what is not limited is refused for its content.
      expect(got.filter((one) => ![400, 404, 429].includes(one))).toEqual([]);
      return got.filter((one) => one === 429).length;
    };
    expect(await refused(7, `${api}/archive/exports`, { body: {} })).toBe(2);
    expect(await refused(1, `${api}/audit/export`)).toBe(1);
    expect(await refused(62, `${api}/archive/search`, { body: {} })).toBe(2);
    expect(await refused(40, `${api}/archive/imports/files/${testIds.uuid()}/parts/0`, { ...form, method: 'PUT' })).toBe(0);
    expect(await refused(32, '/api/files/upload-file', { ...form, method: 'POST', audience: 'legacy' })).toBe(2);
  } finally {
    await conformance.close();
  }
});

test('whether a second factor is needed follows the public address, not the one that is listened on', async () => {
  const policyOf = async (settings: Record<string, string>): Promise<unknown> => {
    const made = await testServer(testing, { settings: { HOLDFAST_IDENTITY_PROFILE: 'hardened', ...settings } });
    const answer = (await (await made.send('/apollo/identity/policy')).json()) as { secondFactor: string };
    await made.close();
    return answer.secondFactor;
  };
  expect(await policyOf({})).toBe('optional');
  expect(await policyOf({ HOLDFAST_PUBLIC_URL: 'https://backup.example.com', HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' })).toBe('required');
});

test('an answer that is kept for a repeated request can not be read in the database, and the repeat gets it', async () => {
  const local = await testServer(testing);
  try {
    const owner = await local.owner();
    const send = async (): Promise<string> => {
      const body = { email: 'invited@example.com', role: 'reader' };
      const answer = await local.send('/apollo/api/members', { token: owner.tokens.main, body, headers: { 'idempotency-key': 'once' } });
      expect(answer.status).toBe(201);
      return answer.text();
    };
    const first = await send();
    const link = /https?:[^"]+/.exec(first)?.[0] ?? '';
    expect(link).toContain('/invitation/');
    expect(await send()).toBe(first);
    const kept = await testing.asSuperuser('select answer from idempotency_keys where answer is not null');
    expect(kept).toHaveLength(1);
    expect(String(kept[0]?.['answer'])).not.toMatch(/invitation|invited/);
  } finally {
    await local.close();
  }
});
