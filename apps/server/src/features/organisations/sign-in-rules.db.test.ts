import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditInbox } from '../audit/index.ts';
import { announceAccount } from '../identity/index.ts';
import { createMembershipReader } from './organisations.store.ts';
import { createSignInRulesService } from './sign-in-rules.service.ts';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** From which networks and with which factors an organisation opens, over HTTP behind a trusted proxy. */
const testing = testDatabase(import.meta.url);
const office = '203.0.113.9';
const elsewhere = '198.51.100.9';
let server: TestServer;

beforeAll(async () => {
  server = await testServer(testing, { settings: { HOLDFAST_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.close());

type Owner = Awaited<ReturnType<TestServer['owner']>>;
interface Sent {
  readonly from?: string;
  readonly body?: unknown;
  readonly method?: string;
}

const ask = (token: string, path: string, { from = office, ...options }: Sent = {}): Promise<Response> =>
  server.send(path, { token, headers: { 'x-forwarded-for': from }, ...options });

const change = (who: SignedIn, body: object, from = office): Promise<Response> =>
  ask(who.tokens.main, '/apollo/api/sign-in-rules', { method: 'PUT', body, from });

async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { code?: string }).code ?? '';
}

async function withTenant(organisationId: Owner['organisationId']): Promise<string> {
  const tenantId = testIds.uuid();
  await testing.database.within({ organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: `Tenant ${tenantId}` }))
      .execute(),
  );
  return tenantId;
}

/** An owner of an organisation with a tenant. */
async function ground(): Promise<{ owner: Owner; workers: string; tenantId: string }> {
  const owner = await server.owner();
  const tenantId = await withTenant(owner.organisationId);
  return { owner, tenantId, workers: `/apollo/api/${tenantId}/jobs` };
}

/** Signs in with a second factor that the person has just set up. */
async function withFactor(who: SignedIn): Promise<SignedIn> {
  const manage = async (body: object) =>
    (await (await ask(who.tokens.main, '/apollo/manage/2fa', { body })).json()) as { sharedKey: string; isTwoFactorEnabled: boolean };
  const { sharedKey } = await manage({});
  const code = (): string => new TOTP({ secret: Secret.fromBase32(sharedKey) }).generate();
  expect((await manage({ enable: true, twoFactorCode: code() })).isTwoFactorEnabled).toBe(true);
  const headers = { 'x-forwarded-for': office };
  const first = await server.send('/api/auth/signin', {
    body: { email: who.email, password: testPassword, audiences: ['main', 'staging', 'legacy'] },
    headers,
  });
  const { challengeId } = (await first.json()) as { challengeId: string };
  const second = await server.send('/api/auth/verify-code', { body: { challengeId, code: code() }, headers });
  const { sessions } = (await second.json()) as { sessions: Record<'main' | 'staging' | 'legacy', { token: string }> };
  const { main, staging, legacy } = sessions;
  return { ...who, tokens: { main: main.token, staging: staging.token, legacy: legacy.token } };
}

const networks = ['203.0.113.0/24'];

test('an organisation opens from its networks alone, in every realm and on every surface, and others stay open', async () => {
  const { owner, workers, tenantId } = await ground();
  const other = await server.owner();
  await testing.database.within({ organisationId: other.organisationId, realm: 'production' }, (tx) =>
    tx.insertInto('memberships').values({ account_id: owner.accountId, role: 'reader', joined_at: new Date() }).execute(),
  );
  const otherTenant = await withTenant(other.organisationId);
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  expect((await ask(owner.tokens.main, workers)).status).toBe(200);
  const refused = await ask(owner.tokens.main, workers, { from: elsewhere });
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'access.outside-networks']);
  const legacy = await server.send(`/api/backup-and-restore/running-jobs?tenantId=${tenantId}`, {
    token: owner.tokens.legacy,
    audience: 'legacy',
    headers: { 'x-forwarded-for': elsewhere },
  });
  expect(legacy.status).toBe(403);
  const staged = await ask(owner.tokens.staging, `/apollo-beta/api/sign-in-rules?organisationId=${owner.organisationId}`, {
    from: elsewhere,
  });
  expect(staged.status).toBe(403);
  expect((await ask(owner.tokens.main, `/apollo/api/${otherTenant}/jobs`, { from: elsewhere })).status).toBe(200);
});

test('nobody outside an organisation learns of its rules: for strangers it does not exist from anywhere', async () => {
  const { owner, workers } = await ground();
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  const stranger = await server.owner();
  for (const from of [office, elsewhere]) expect((await ask(stranger.tokens.main, workers, { from })).status).toBe(404);
});

test('who saves networks must be within them, and who requires a second factor must have passed one', async () => {
  const { owner } = await ground();
  const outside = await change(owner, { networks: ['198.51.100.0/24'], secondFactor: false });
  const { code, errors } = (await outside.json()) as { code: string; errors: Record<string, string[]> };
  expect([outside.status, code, Object.keys(errors)]).toEqual([400, 'sign-in-rules.own-address', ['networks']]);
  const unproved = await change(owner, { networks: [], secondFactor: true });
  expect([unproved.status, await codeOf(unproved)]).toEqual([409, 'sign-in-rules.own-factor']);
  const now = (await (await ask(owner.tokens.main, '/apollo/api/sign-in-rules')).json()) as object;
  expect(now).toEqual({ networks: [], secondFactor: false, address: office });
});

test('administrators cannot change the rules, nor can owners of another organisation', async () => {
  const { owner } = await ground();
  const administrator = await server.member(owner.organisationId, 'administrator');
  const stranger = await server.owner();
  expect((await change(administrator, { networks, secondFactor: false })).status).toBe(403);
  const foreign = await ask(stranger.tokens.main, `/apollo/api/sign-in-rules?organisationId=${owner.organisationId}`, {
    method: 'PUT',
    body: { networks, secondFactor: false },
  });
  expect(foreign.status).toBe(404);
});

test('where every organisation of a person is closed to the network, the right password signs nobody in from there', async () => {
  const { owner, tenantId } = await ground();
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  const signIn = (password: string, from: string) =>
    server.send('/api/auth/signin', { body: { email: owner.email, password }, headers: { 'x-forwarded-for': from } });
  const refused = await signIn(testPassword, elsewhere);
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'access.outside-networks']);
  expect((await signIn('Wrong-Horse-1!', elsewhere)).status).toBe(401);
  expect((await signIn(testPassword, office)).status).toBe(200);
  const log = await ask(owner.tokens.main, `/apollo/api/${tenantId}/audit?limit=100`);
  expect(await log.text()).toContain('identity.outside-networks');
});

test('an API key works within the networks of its organisation alone', async () => {
  const { owner, workers } = await ground();
  const made = await ask(owner.tokens.main, '/apollo/api/api-keys', { body: { name: 'Monitoring', role: 'reader', days: 30 } });
  const { key } = (await made.json()) as { key: string };
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  expect([(await ask(key, workers)).status, (await ask(key, workers, { from: elsewhere })).status]).toEqual([200, 401]);
});

test('a required second factor holds on the next request, leads to setting one up, and leaves keys alone', async () => {
  const { owner, workers } = await ground();
  const operator = await server.member(owner.organisationId, 'operator');
  const made = await ask(owner.tokens.main, '/apollo/api/api-keys', { body: { name: 'Monitoring', role: 'reader', days: 30 } });
  const { key } = (await made.json()) as { key: string };
  const proved = await withFactor(owner);
  expect((await change(proved, { networks: [], secondFactor: true })).status).toBe(200);
  expect((await ask(proved.tokens.main, workers)).status).toBe(200);
  const refused = await ask(operator.tokens.main, workers);
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'identity.second-factor-required']);
  expect((await ask(key, workers)).status).toBe(200);
  const enrolled = await withFactor(operator);
  expect((await ask(enrolled.tokens.main, workers)).status).toBe(200);
});

test('a stream that is open ends when its network is no longer allowed', async () => {
  const { owner, tenantId } = await ground();
  const reader = await server.member(owner.organisationId, 'reader');
  const stream = await ask(reader.tokens.main, `/apollo/api/${tenantId}/events`, { from: elsewhere });
  expect(stream.status).toBe(200);
  const told = stream.text();
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  expect(await told).toContain('retry:');
});

test('somebody who is shut out may still leave', async () => {
  const { owner } = await ground();
  const reader = await server.member(owner.organisationId, 'reader');
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  const left = await ask(reader.tokens.main, `/apollo/api/organisations/${owner.organisationId}/membership`, {
    method: 'DELETE',
    from: elsewhere,
  });
  expect(left.status).toBe(204);
});

test('the console opens what an owner has shut, and says so in the log', async () => {
  const { owner, workers } = await ground();
  const { database } = testing;
  expect((await change(owner, { networks, secondFactor: false })).status).toBe(200);
  const rules = createSignInRulesService({
    database,
    clock: systemClock,
    audit: createAuditInbox({ clock: systemClock, ids: testIds }),
    announce: announceAccount,
    chosen: () => Promise.resolve(undefined),
    memberships: createMembershipReader(database, systemClock),
  });
  expect(await rules.liftFor(owner.accountId)).toEqual(['Organisation']);
  expect((await ask(owner.tokens.main, workers, { from: elsewhere })).status).toBe(200);
});
