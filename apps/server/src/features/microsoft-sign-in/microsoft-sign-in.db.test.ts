import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { testPassword, testServer, type TestServer } from '../../testing/test-server.ts';
import { hostileProvider, type HostileProvider } from './testing/hostile-provider.ts';
import { realProvider, type RealProvider } from './testing/real-provider.ts';

/** Sign-in with Microsoft Entra over HTTP, against a provider that keeps to OpenID Connect and one that does not. */
const testing = testDatabase(import.meta.url);
const clientSecret = 'a-secret-that-never-comes-back';
let server: TestServer;
let real: RealProvider;
let hostile: HostileProvider;

type Owner = Awaited<ReturnType<TestServer['owner']>>;

beforeAll(async () => {
  server = await testServer(testing, { settings: { HOLDFAST_ALLOWED_HOSTS: '127.0.0.1' } });
  const owner = await server.owner();
  const answer = await server.send('/apollo/api/microsoft-sign-in', { token: owner.tokens.main });
  const { redirectAddress } = (await answer.json()) as { redirectAddress: string };
  real = await realProvider({ clientId: 'holdfast', clientSecret, redirectAddress });
  hostile = await hostileProvider('holdfast');
});
afterAll(async () => {
  await server.close();
  await real.close();
  await hostile.close();
});

const path = '/apollo/api/microsoft-sign-in';

async function codeOf(answer: Response): Promise<string> {
  return `${answer.status} ${((await answer.json()) as { code?: string }).code ?? ''}`;
}

function save(owner: Owner, given: object = {}): Promise<Response> {
  const groups = { administrator: ['admins'], operator: [], auditor: [], reader: ['readers'] };
  const body = { issuer: real.issuer, clientId: 'holdfast', clientSecret, ...groups, ...given };
  return server.send(path, { method: 'PUT', token: owner.tokens.main, body });
}

/** An organisation with a short name of its own whose members come by this provider. */
async function organisation(given: object = {}): Promise<{ owner: Owner; name: string }> {
  const owner = await server.owner();
  const name = `org${testIds
    .token(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}`;
  await testing.asSuperuser('update organisations set abbr = $1 where organisation_id = $2', [name, owner.organisationId]);
  const saved = await save(owner, given);
  if (saved.status !== 200) throw new Error(await saved.text());
  return { owner, name };
}

/** Leaves for the provider: where the browser is sent, and the cookie it keeps. */
async function leave(name: string): Promise<{ address: URL; cookie: string }> {
  const answer = await server.send(`${path}/start`, { body: { organisation: name } });
  if (answer.status !== 200) throw new Error(await answer.text());
  const cookie = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  return { address: new URL(((await answer.json()) as { address: string }).address), cookie };
}

const complete = (search: string, cookie: string): Promise<Response> =>
  server.send(`${path}/complete`, { body: { answer: search }, headers: { cookie } });

/** The whole way, as somebody whom the provider knows with these claims. */
async function come(
  name: string,
  person: { readonly sub: string; readonly groups: readonly string[]; readonly email?: string },
): Promise<Response> {
  const { address, cookie } = await leave(name);
  real.knows({ email: `${person.sub}@contoso.example`, given_name: 'Ada', family_name: 'Lovelace', ...person });
  const back = await real.signIn(address.href, person.sub);
  return complete(back.search, cookie);
}

interface Came {
  readonly user: { readonly id: string; readonly role: string };
  readonly sessions: { readonly main: { readonly token: string } };
}

const rolesOf = async (token: string): Promise<string[]> => {
  const answer = await server.send('/apollo/api/organisations', { token });
  return ((await answer.json()) as { items: { role: string }[] }).items.map(({ role }) => role);
};

const someone = (): string =>
  testIds
    .token(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, 'x');

test('groups give the role, the highest first, and each sign-in renews it', async () => {
  const { owner, name } = await organisation();
  const sub = someone();
  const first = (await (await come(name, { sub, groups: ['readers', 'others'] })).json()) as Came;
  expect(await rolesOf(first.sessions.main.token)).toEqual(['reader']);
  const second = (await (await come(name, { sub, groups: ['readers', 'admins'] })).json()) as Came;
  expect([second.user.id, await rolesOf(second.sessions.main.token)]).toEqual([first.user.id, ['administrator']]);
  const members = await server.send('/apollo/api/members', { token: owner.tokens.main });
  expect(await members.text()).toContain(`${sub}@contoso.example`);
});

test('no group makes an owner, whatever is saved', async () => {
  const { owner, name } = await organisation({ owner: ['bosses'] });
  expect(await codeOf(await come(name, { sub: someone(), groups: ['bosses'] }))).toBe('403 microsoft-sign-in.no-role');
  const saved = (await (await server.send(path, { token: owner.tokens.main })).json()) as object;
  expect(JSON.stringify(saved)).not.toContain('bosses');
});

test('somebody without a mapped group, and a member who is disabled, are refused, and the organisation sees it', async () => {
  const { owner, name } = await organisation();
  expect(await codeOf(await come(name, { sub: someone(), groups: ['others'] }))).toBe('403 microsoft-sign-in.no-role');
  expect(await codeOf(await come(name, { sub: someone(), groups: [] }))).toBe('403 microsoft-sign-in.no-role');
  const sub = someone();
  const { user } = (await (await come(name, { sub, groups: ['readers'] })).json()) as Came;
  const change = { method: 'PUT', token: owner.tokens.main, body: { disabled: true } };
  expect((await server.send(`/apollo/api/members/${user.id}`, change)).status).toBe(200);
  expect(await codeOf(await come(name, { sub, groups: ['readers'] }))).toBe('403 microsoft-sign-in.no-role');
  const refused = await testing.asSuperuser(
    "select 1 from audit_inbox where organisation_id = $1 and event = 'organisations.microsoft-sign-in-refused'",
    [owner.organisationId],
  );
  expect(refused).toHaveLength(3);
});

test('a session opens its organisation alone and changes nothing of the account', async () => {
  const { name } = await organisation();
  const { user, sessions } = (await (await come(name, { sub: someone(), groups: ['admins'] })).json()) as Came;
  const other = await server.owner();
  await testing.database.within({ organisationId: other.organisationId, realm: 'production' }, (tx) =>
    tx.insertInto('memberships').values({ account_id: user.id, role: 'reader', joined_at: new Date() }).execute(),
  );
  const { token } = sessions.main;
  expect(await rolesOf(token)).toEqual(['administrator']);
  const calls = [
    ['/apollo/manage/2fa', {}],
    ['/apollo/manage/info', { newEmail: 'other@contoso.example' }],
    ['/apollo/api/invitations/accept', { code: 'x'.repeat(43) }],
  ] as const;
  for (const [to, body] of calls) {
    expect([to, (await server.send(to, { token, body })).status]).toEqual([to, 403]);
  }
});

test('an address that has an account is never taken over, and the provider of one organisation opens no account of another', async () => {
  const { name } = await organisation();
  const victim = await server.owner();
  const taken = await come(name, { sub: someone(), groups: ['admins'], email: victim.email });
  expect(await codeOf(taken)).toBe('409 microsoft-sign-in.address-taken');
  const sub = someone();
  expect((await come(name, { sub, groups: ['readers'] })).status).toBe(200);
  const second = await organisation();
  expect(await codeOf(await come(second.name, { sub, groups: ['admins'] }))).toBe('409 microsoft-sign-in.address-taken');
});

test('the local owner gets in beside the provider and after it has gone', async () => {
  const { owner } = await organisation();
  const signIn = () => server.send('/api/auth/signin', { body: { email: owner.email, password: testPassword } });
  expect((await signIn()).status).toBe(200);
  expect((await server.send(path, { method: 'DELETE', token: owner.tokens.main })).status).toBe(204);
  expect((await signIn()).status).toBe(200);
});

test('the secret is sealed and never comes back, and is kept while issuer and client stay', async () => {
  const { owner } = await organisation();
  expect(await (await server.send(path, { token: owner.tokens.main })).text()).not.toContain(clientSecret);
  const rows = await testing.asSuperuser('select client_secret from microsoft_sign_in where organisation_id = $1', [owner.organisationId]);
  expect(Buffer.from((rows[0] as { client_secret: Buffer }).client_secret).toString('latin1')).not.toContain(clientSecret);
  expect((await save(owner, { clientSecret: '' })).status).toBe(200);
  expect(await codeOf(await save(owner, { clientSecret: '', clientId: 'another' }))).toBe('400 microsoft-sign-in.secret-missing');
});

test('an issuer in our own network and one that is no provider are refused before anything is saved', async () => {
  const owner = await server.owner();
  expect(await codeOf(await save(owner, { issuer: 'http://10.0.0.1/' }))).toBe('400 microsoft-sign-in.issuer-refused');
  expect(await codeOf(await save(owner, { issuer: `${server.address}/nothing` }))).toBe('502 microsoft-sign-in.unreachable');
  const now = (await (await server.send(path, { token: owner.tokens.main })).json()) as { setUp: unknown };
  expect(now.setUp).toBeNull();
});

test('whether an organisation exists is not told: without a provider it answers like one that is unknown', async () => {
  const owner = await server.owner();
  await testing.asSuperuser("update organisations set abbr = 'without' where organisation_id = $1", [owner.organisationId]);
  const answers = await Promise.all(
    ['without', 'unknown'].map(async (name) => codeOf(await server.send(`${path}/start`, { body: { organisation: name } }))),
  );
  expect(answers).toEqual(['404 microsoft-sign-in.not-set-up', '404 microsoft-sign-in.not-set-up']);
});

test('administrators and strangers neither read nor change it', async () => {
  const { owner } = await organisation();
  const administrator = await server.member(owner.organisationId, 'administrator');
  const stranger = await server.owner();
  expect((await server.send(path, { token: administrator.tokens.main })).status).toBe(403);
  const foreign = await server.send(`${path}?organisationId=${owner.organisationId}`, { token: stranger.tokens.main });
  expect(foreign.status).toBe(404);
});

/** Leaves for the hostile provider, which then answers with these claims. */
async function lured(alter: Parameters<HostileProvider['lure']>[1] = {}): Promise<{ search: string; cookie: string }> {
  const { name } = await organisation({ issuer: hostile.issuer });
  const { address, cookie } = await leave(name);
  return { search: hostile.lure(address, alter), cookie };
}

test('what an honest answer of the same provider looks like is accepted', async () => {
  const { search, cookie } = await lured();
  expect((await complete(search, cookie)).status).toBe(200);
});

const hour = 3_600;
test.each([
  ['a wrong nonce', { claims: { nonce: 'another' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['a wrong issuer', { claims: { iss: 'https://login.example.com/other/v2.0' } }],
  ['another audience', { claims: { aud: 'another-application' } }],
  ['an expired token', { claims: { exp: Math.floor(Date.now() / 1_000) - hour } }],
  ['a token of another key', { signature: 'other' as const }],
  ['a token that nobody signed', { signature: 'none' as const }],
  ['no token', { signature: 'missing' as const }],
])('%s is refused', async (_, alter) => {
  const { search, cookie } = await lured(alter);
  expect(await codeOf(await complete(search, cookie))).toBe('400 microsoft-sign-in.failed');
});

test('a state nobody asked for, another browser and an answer that comes twice are refused', async () => {
  const { search, cookie } = await lured();
  const refused = '400 microsoft-sign-in.failed';
  expect(await codeOf(await complete(search.replace(/state=[^&]+/, 'state=made-up'), cookie))).toBe(refused);
  expect(await codeOf(await complete(search, ''))).toBe(refused);
  expect(await codeOf(await complete(search, 'holdfast-microsoft=another'))).toBe(refused);
  expect((await complete(search, cookie)).status).toBe(200);
  expect(await codeOf(await complete(search, cookie))).toBe(refused);
});

test('a refusal of the provider and an answer of another issuer are refused', async () => {
  const denied = await lured();
  const state = new URLSearchParams(denied.search).get('state') ?? '';
  expect(await codeOf(await complete(`?error=access_denied&state=${state}`, denied.cookie))).toBe('400 microsoft-sign-in.failed');
  const mixed = await lured();
  const other = `${mixed.search}&iss=${encodeURIComponent('https://login.example.com')}`;
  expect(await codeOf(await complete(other, mixed.cookie))).toBe('400 microsoft-sign-in.failed');
});

test('a code of the real provider counts once, even in a new attempt', async () => {
  const { name } = await organisation();
  const first = await leave(name);
  const sub = someone();
  real.knows({ sub, email: `${sub}@contoso.example`, groups: ['readers'] });
  const back = await real.signIn(first.address.href, sub);
  expect((await complete(back.search, first.cookie)).status).toBe(200);
  const second = await leave(name);
  const state = second.address.searchParams.get('state') ?? '';
  const replayed = `?code=${back.searchParams.get('code') ?? ''}&state=${state}`;
  expect(await codeOf(await complete(replayed, second.cookie))).toBe('400 microsoft-sign-in.failed');
});
