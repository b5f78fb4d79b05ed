import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, afterEach, expect, test } from 'vitest';
import { totpCode } from '../totp.ts';
import { identityApp, type IdentityApp, type IdentityAppOptions, type Received, type Sent } from '../testing/identity-app.ts';
import { keyFromBase32, linkIn, resetCodeIn } from '../testing/reading.ts';

/**
 * Upstream's cases, black box over HTTP against both prefixes, in the profile that answers as upstream
 * does. Names carry the numbers of the contract, so that a reader finds the case.
 */
const db = testDatabase(import.meta.url);
const other = testDatabase(import.meta.url.replace('upstream', 'upstream-second'));
const passed = new Set<string>();
const open: IdentityApp[] = [];
let turn = 0;

async function app(given: IdentityAppOptions = {}): Promise<IdentityApp> {
  const made = await identityApp(db, { profile: 'conformance', ...given });
  open.push(made);
  return made;
}

afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

afterAll(() => {
  const cases = new Set([...passed].flatMap((name) => name.match(/C\d+/g) ?? []));
  process.stdout.write(`identity conformance: ${cases.size} of 45 upstream cases passed, each under /apollo and /apollo-beta\n`);
});

const password = 'Good-Password-1';
const address = (): string => `person${(turn += 1)}@example.com`;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

function client(made: IdentityApp, base: string) {
  const post = (path: string, body: unknown, more: Sent = {}): Promise<Received> => made.send(`${base}${path}`, { body, ...more });
  return {
    post,
    get: (path: string, more: Sent = {}) => made.send(`${base}${path}`, more),
    register: (email: string, secret = password) => post('/register', { email, password: secret }),
    login: (email: string, secret = password, more: Record<string, unknown> = {}) => post('/login', { email, password: secret, ...more }),
    async tokens(email: string, secret = password): Promise<Tokens> {
      return (await post('/login', { email, password: secret })).json as unknown as Tokens;
    },
    probe: (bearer?: string) => made.send(`${base}/probe`, bearer === undefined ? {} : { bearer }),
    refresh: (refreshToken: unknown) => post('/refresh', { refreshToken }),
    follow: (link: string) => made.send(link.replace('http://127.0.0.1:8080', '')),
  };
}

function expectEmpty(answer: Received, status: number): void {
  expect([answer.status, answer.text, String(answer.headers['content-length'])]).toEqual([status, '', '0']);
}

function expectProblem(answer: Received, detail: string): void {
  expect([answer.status, answer.headers['content-type'], answer.json['detail']]).toEqual([401, 'application/problem+json', detail]);
}

function expectInvalid(answer: Received, key: string): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json']);
  expect(answer.json['title']).toBe('One or more validation errors occurred.');
  expect(Object.keys(answer.json['errors'] as object)).toEqual([key]);
}

/** Runs a case against both prefixes. */
function upstreamCase(name: string, run: (given: { base: string }) => Promise<void>): void {
  test.each([{ base: '/apollo' }, { base: '/apollo-beta' }])(`${name} under $base`, async (given) => {
    await run(given);
    passed.add(name);
  });
}

async function counted(event: string, email: string): Promise<number> {
  const rows = await db.asSuperuser('select count(*)::int as n from audit_inbox where event = $1 and payload ->> $2 = $3', [
    event,
    'actor',
    email,
  ]);
  return rows[0]?.['n'] as number;
}

upstreamCase('C1 C2 a new address with a good password registers', async ({ base }) => {
  expectEmpty(await client(await app(), base).register(address()), 200);
});

upstreamCase('C3 registering without an address is malformed', async ({ base }) => {
  expectEmpty(await client(await app(), base).post('/register', { password }), 400);
});

upstreamCase('C4 C5 an address needs an at sign', async ({ base }) => {
  expectInvalid(await client(await app(), base).register('nobody'), 'InvalidEmail');
});

upstreamCase('C6 C7 an address registers once', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  expectEmpty(await c.register(email), 200);
  expectInvalid(await c.register(email), 'DuplicateUserName');
});

upstreamCase('C8 an unknown address fails', async ({ base }) => {
  expectProblem(await client(await app(), base).login(address()), 'Failed');
});

upstreamCase('C9 a wrong password fails', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  expectProblem(await c.login(email, 'Wrong-Password-1'), 'Failed');
});

upstreamCase('C10 C11 signing in gives tokens that open the probe', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  const answer = await c.login(email);
  expect(answer.status).toBe(200);
  expect(answer.cookies).toEqual([]);
  expect(answer.json).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600, refreshToken: expect.any(String) });
  expect((await c.probe(answer.json['accessToken'] as string)).json).toMatchObject({ name: email });
});

upstreamCase('C12 C13 a serializer with snake case changes the names alone', async ({ base }) => {
  const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const c = client(
    await app({
      prepare: (http) =>
        http.server.addHook('onSend', async (_request, _reply, payload) =>
          typeof payload === 'string' && payload.startsWith('{')
            ? JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(payload) as object).map(([name, value]) => [snake(name), value])))
            : payload,
        ),
    }),
    base,
  );
  const email = address();
  await c.register(email);
  const answer = await c.login(email);
  expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, refresh_token: expect.any(String) });
  expect((await c.probe(answer.json['access_token'] as string)).status).toBe(200);
});

upstreamCase('C14 an access token ends in the very second it expires', async ({ base }) => {
  const made = await app({ override: { accessLifetimeMs: 42_000 } });
  const c = client(made, base);
  const email = address();
  await c.register(email);
  const { accessToken, expiresIn } = await c.tokens(email);
  expect(expiresIn).toBe(42);
  expect((await c.probe(accessToken)).status).toBe(200);
  await made.clock.advance(41_000);
  expect((await c.probe(accessToken)).status).toBe(200);
  await made.clock.advance(1_000);
  expectEmpty(await c.probe(accessToken), 401);
});

upstreamCase('C15 a cookie sign-in sets one cookie, which opens the probe', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  const answer = await c.post('/login?useCookies=true', { email, password });
  expectEmpty(answer, 200);
  expect(answer.cookies).toHaveLength(1);
  expect((await c.get('/probe', { cookie: (answer.cookies[0] ?? '').split(';')[0] ?? '' })).json).toMatchObject({ name: email });
});

upstreamCase('C16 without cookies set up a cookie sign-in is an error without cookie', async ({ base }) => {
  const c = client(await app({ override: { cookies: false } }), base);
  const email = address();
  await c.register(email);
  const answer = await c.post('/login?useCookies=true', { email, password });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.cookies).toEqual([]);
});

upstreamCase('C17 a hook may take the token from the query, the header still works', async ({ base }) => {
  const made = await app({
    prepare: (http) =>
      http.server.addHook('onRequest', async (request) => {
        const token = (request.query as Record<string, string>)['accessToken'];
        if (token !== undefined) request.headers.authorization = `Bearer ${token}`;
      }),
  });
  const c = client(made, base);
  const email = address();
  await c.register(email);
  const { accessToken } = await c.tokens(email);
  expect((await c.get(`/probe?accessToken=${accessToken}`)).status).toBe(200);
  expect((await c.probe(accessToken)).status).toBe(200);
});

upstreamCase('C18 C19 no credentials, or a bearer with nothing, is not signed in', async ({ base }) => {
  const c = client(await app(), base);
  for (const headers of [{}, { authorization: 'Bearer' }, { authorization: 'Bearer ' }]) {
    const answer = await c.get('/probe', { headers });
    expectEmpty(answer, 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
});

upstreamCase('C20 C21 a refreshed token opens the probe', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  const { refreshToken } = await c.tokens(email);
  const renewed = (await c.refresh(refreshToken)).json as unknown as Tokens;
  expect((await c.probe(renewed.accessToken)).json).toMatchObject({ name: email });
});

upstreamCase('C22 refreshing with null or nothing is not signed in', async ({ base }) => {
  const c = client(await app(), base);
  expectEmpty(await c.refresh(null), 401);
  expectEmpty(await c.refresh(''), 401);
});

upstreamCase('C23 refresh tokens can be used again until they expire', async ({ base }) => {
  const made = await app({ override: { refreshLifetimeMs: 42 * 3_600_000 } });
  const c = client(made, base);
  const email = address();
  await c.register(email);
  const first = await c.tokens(email);
  await made.clock.advance(1_000);
  const later = await c.tokens(email);
  expect((await c.refresh(first.refreshToken)).status).toBe(200);
  expectEmpty(await c.probe(first.refreshToken), 401);
  await made.clock.advance(42 * 3_600_000 - 2_000);
  expect((await c.refresh(first.refreshToken)).status).toBe(200);
  await made.clock.advance(1_000);
  expectEmpty(await c.refresh(first.refreshToken), 401);
  expect((await c.refresh(later.refreshToken)).status).toBe(200);
  await made.clock.advance(1_000);
  expectEmpty(await c.refresh(later.refreshToken), 401);
});

upstreamCase('C24 a changed stamp refuses the refresh token', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  const { refreshToken } = await c.tokens(email);
  await db.asSuperuser('update accounts set security_stamp = $1 where email = $2', ['another', email]);
  expectEmpty(await c.refresh(refreshToken), 401);
});

upstreamCase('C25 a refreshed token shows a new name', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  const { refreshToken } = await c.tokens(email);
  await db.asSuperuser('update accounts set user_name = $1 where email = $2', ['renamed', email]);
  const renewed = (await c.refresh(refreshToken)).json as unknown as Tokens;
  expect((await c.probe(renewed.accessToken)).json).toMatchObject({ name: 'renamed' });
});

upstreamCase('C26 the failure that reaches the limit locks, once', async ({ base }) => {
  const c = client(await app({ override: { lockout: { limit: 2, durationMs: 300_000, forNewAccounts: true } } }), base);
  const email = address();
  await c.register(email);
  expectProblem(await c.login(email, 'Wrong-Password-1'), 'Failed');
  expectProblem(await c.login(email, 'Wrong-Password-1'), 'LockedOut');
  expect(await counted('identity.locked-out', email)).toBe(1);
  expectProblem(await c.login(email), 'LockedOut');
});

upstreamCase('C27 without lockout for new accounts nothing locks', async ({ base }) => {
  const c = client(await app({ override: { lockout: { limit: 1, durationMs: 300_000, forNewAccounts: false } } }), base);
  const email = address();
  await c.register(email);
  expectProblem(await c.login(email, 'Wrong-Password-1'), 'Failed');
  expect(await counted('identity.locked-out', email)).toBe(0);
  expect((await c.login(email)).status).toBe(200);
});

for (const [name, override, event] of [
  ['C28 a confirmed account is required', { requireConfirmedAccount: true }, 'identity.account-not-confirmed'],
  ['C29 a confirmed e-mail address is required', { requireConfirmedEmail: true }, 'identity.email-not-confirmed'],
] as const) {
  upstreamCase(name, async ({ base }) => {
    const made = await app({ override });
    const c = client(made, base);
    const email = address();
    await c.register(email);
    expectProblem(await c.login(email), 'NotAllowed');
    expect(await counted(event, email)).toBe(1);
    const mails = (await made.mails()).filter((mail) => mail.to === email);
    expect(mails).toHaveLength(1);
    expect((await c.follow(linkIn(mails[0]))).status).toBe(200);
    expect((await c.login(email)).status).toBe(200);
  });
}

upstreamCase('C30 the confirmation can be sent again', async ({ base }) => {
  const made = await app({ override: { requireConfirmedEmail: true } });
  const c = client(made, base);
  const email = address();
  await c.register(email);
  const mine = async () => (await made.mails()).filter((mail) => mail.to === email);
  expect((await mine())[0]?.subject).toBe('Confirm your email');
  expectProblem(await c.login(email), 'NotAllowed');
  const before = (await made.mails()).length;
  expectEmpty(await c.post('/resendConfirmationEmail', { email: address() }), 200);
  expect(await made.mails()).toHaveLength(before);
  expectEmpty(await c.post('/resendConfirmationEmail', { email }), 200);
  expect(await mine()).toHaveLength(2);
  const confirmed = await c.follow(linkIn((await mine())[1]));
  expect([confirmed.text, confirmed.headers['content-type']]).toEqual([
    'Thank you for confirming your email.',
    expect.stringMatching(/^text\/plain/),
  ]);
  expect((await c.login(email)).status).toBe(200);
});

upstreamCase('C31 a mail sender of one\u2019s own gets exactly one mail', async ({ base }) => {
  const made = await app();
  const email = address();
  await client(made, base).register(email);
  const mails = (await made.mails()).filter((mail) => mail.to === email);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    subject: 'Confirm your email',
    html: expect.stringContaining(`href='http://127.0.0.1:8080${base}/confirmEmail?`),
  });
});

upstreamCase('C32 two prefixes share one store, each with links of its own', async ({ base }) => {
  const made = await app({ override: { requireConfirmedEmail: true } });
  const second = base === '/apollo' ? '/apollo-beta' : '/apollo';
  for (const prefix of [base, second]) {
    const c = client(made, prefix);
    const email = address();
    await c.register(email);
    const link = linkIn((await made.mails()).find((mail) => mail.to === email));
    expect(link).toContain(`127.0.0.1:8080${prefix}/confirmEmail`);
    expect((await c.follow(link)).status).toBe(200);
    expect((await client(made, base).login(email)).status).toBe(200);
    expect((await client(made, second).login(email)).status).toBe(200);
  }
});

upstreamCase('C33 two prefixes over two stores know the same address apart', async ({ base }) => {
  const email = address();
  for (const store of [db, other]) {
    const made = await identityApp(store, { profile: 'conformance', override: { requireConfirmedEmail: true } });
    open.push(made);
    const c = client(made, base);
    expectEmpty(await c.register(email), 200);
    const link = linkIn((await made.mails()).find((mail) => mail.to === email));
    expect((await c.follow(link)).status).toBe(200);
    expect((await c.login(email)).status).toBe(200);
  }
});

async function withAuthenticator(made: IdentityApp, base: string) {
  const c = client(made, base);
  const email = address();
  await c.register(email);
  const { accessToken, refreshToken } = await c.tokens(email);
  const manage = (body: unknown, bearer = accessToken): Promise<Received> => c.post('/manage/2fa', body, { bearer });
  const start = await manage({});
  const key = keyFromBase32(start.json['sharedKey'] as string);
  const code = (): string => String(Number(totpCode(key, made.clock.nowMs())));
  return { c, email, accessToken, refreshToken, manage, start, key, code };
}

upstreamCase('C34 C35 the second factor is turned on with a code', async ({ base }) => {
  const made = await app();
  const two = await withAuthenticator(made, base);
  const { c, manage, email } = two;
  expectEmpty(await made.send(`${base}/manage/2fa`, { method: 'POST' }), 401);
  expectInvalid(await manage({ enable: true }), 'RequiresTwoFactor');
  expectInvalid(await manage({ enable: true, twoFactorCode: 'wrong' }), 'InvalidTwoFactorCode');
  expectEmpty(await made.send(`${base}/manage/2fa`, { method: 'POST', bearer: two.accessToken }), 400);
  expectEmpty(await made.send(`${base}/manage/2fa`, { raw: 'null', bearer: two.accessToken }), 400);
  expect(two.start.json).toMatchObject({ isTwoFactorEnabled: false, isMachineRemembered: false, recoveryCodes: null });
  expect((await manage({ enable: true, twoFactorCode: two.code() })).json).toMatchObject({ isTwoFactorEnabled: true });
  expect((await c.probe(two.accessToken)).status).toBe(200);
  expectEmpty(await c.refresh(two.refreshToken), 401);
  expectProblem(await c.login(email), 'RequiresTwoFactor');
  expect((await c.login(email, password, { twoFactorCode: two.code() })).status).toBe(200);
});

upstreamCase('C36 a recovery code signs in, and the factor can be turned off', async ({ base }) => {
  const two = await withAuthenticator(await app(), base);
  const enabled = await two.manage({ enable: true, twoFactorCode: two.code() });
  const codes = enabled.json['recoveryCodes'] as string[];
  expect(codes).toHaveLength(10);
  const signedIn = await two.c.login(two.email, password, { twoFactorRecoveryCode: codes[0] });
  expect(signedIn.json['accessToken']).not.toBe(two.accessToken);
  const off = await two.manage({ enable: false }, signedIn.json['accessToken'] as string);
  expect(off.json).toMatchObject({ isTwoFactorEnabled: false });
  expect((await two.c.login(two.email)).status).toBe(200);
});

upstreamCase('C37 a new key turns the factor off and needs a code of its own', async ({ base }) => {
  const made = await app();
  const two = await withAuthenticator(made, base);
  await two.manage({ enable: true, twoFactorCode: two.code() });
  expectInvalid(await two.manage({ enable: true, resetSharedKey: true, twoFactorCode: two.code() }), 'CannotResetSharedKeyAndEnable');
  const reset = await two.manage({ resetSharedKey: true });
  expect(reset.json).toMatchObject({ isTwoFactorEnabled: false });
  expect(reset.json['sharedKey']).not.toBe(two.start.json['sharedKey']);
  expectInvalid(await two.manage({ enable: true, twoFactorCode: two.code() }), 'InvalidTwoFactorCode');
  const fresh = totpCode(keyFromBase32(reset.json['sharedKey'] as string), made.clock.nowMs());
  expect((await two.manage({ enable: true, twoFactorCode: fresh })).json).toMatchObject({ isTwoFactorEnabled: true });
});

upstreamCase('C38 recovery codes work once and are replaced as a set', async ({ base }) => {
  const two = await withAuthenticator(await app(), base);
  const enabled = await two.manage({ enable: true, twoFactorCode: two.code() });
  expect(enabled.json['recoveryCodesLeft']).toBe(10);
  const codes = enabled.json['recoveryCodes'] as string[];
  const recover = (code: string | undefined) => two.c.login(two.email, password, { twoFactorRecoveryCode: code });
  expect((await recover(codes[0])).status).toBe(200);
  expectProblem(await recover(codes[0]), 'Failed');
  expect((await recover(codes[1])).status).toBe(200);
  expect((await two.manage({})).json).toMatchObject({ recoveryCodesLeft: 8, recoveryCodes: null });
  expectInvalid(await two.manage({ enable: true, resetSharedKey: true }), 'CannotResetSharedKeyAndEnable');
  const renewed = (await two.manage({ resetRecoveryCodes: true })).json['recoveryCodes'] as string[];
  expect(renewed).toHaveLength(10);
  expect(renewed.some((code) => codes.includes(code))).toBe(false);
  expect((await recover(renewed[0])).status).toBe(200);
  expectProblem(await recover(codes[2]), 'Failed');
});

upstreamCase('C39 a machine is remembered by a persistent cookie alone', async ({ base }) => {
  const two = await withAuthenticator(await app(), base);
  await two.manage({ enable: true, twoFactorCode: two.code() });
  const remembered = async (query: string): Promise<unknown> => {
    const answer = await two.c.post(`/login?${query}`, { email: two.email, password, twoFactorCode: two.code() });
    expect(answer.status).toBe(200);
    const cookie = answer.cookies.map((set) => set.split(';')[0]).join('; ');
    return (await two.c.post('/manage/2fa', {}, { cookie })).json['isMachineRemembered'];
  };
  expect(await remembered('useSessionCookies=true')).toBe(false);
  expect(await remembered('useCookies=true&useSessionCookies=true')).toBe(false);
  expect(await remembered('useCookies=true')).toBe(true);
});

upstreamCase('C40 a forgotten password is reset by a mailed code', async ({ base }) => {
  const made = await app();
  const c = client(made, base);
  const [confirmed, unconfirmed, unknown] = [address(), address(), address()];
  await c.register(confirmed);
  await c.register(unconfirmed);
  await c.follow(linkIn((await made.mails()).find((mail) => mail.to === confirmed)));
  for (const email of [confirmed, unconfirmed, unknown]) expectEmpty(await c.post('/forgotPassword', { email }), 200);
  const resets = (await made.mails()).filter(
    (mail) => mail.subject === 'Reset your password' && [confirmed, unconfirmed, unknown].includes(mail.to),
  );
  expect(resets.map((mail) => mail.to)).toEqual([confirmed]);
  const resetCode = resetCodeIn(resets[0]);
  for (const email of [confirmed, unconfirmed, unknown]) {
    expectEmpty(await c.post('/resetPassword', { email, resetCode }), 400);
    expectInvalid(await c.post('/resetPassword', { email, resetCode: 'wrong', newPassword: 'Other-Password-2' }), 'InvalidToken');
    expectInvalid(await c.post('/resetPassword', { email, resetCode: 'wrong', newPassword: '' }), 'InvalidToken');
  }
  const weak = await c.post('/resetPassword', { email: confirmed, resetCode, newPassword: '' });
  expect([weak.status, weak.json['title']]).toEqual([400, 'One or more validation errors occurred.']);
  expectEmpty(await c.post('/resetPassword', { email: confirmed, resetCode, newPassword: 'Other-Password-2' }), 200);
  expectProblem(await c.login(confirmed), 'Failed');
  expect((await c.login(confirmed, 'Other-Password-2')).status).toBe(200);
});

upstreamCase('C41 C42 an address changes when the new one is confirmed', async ({ base }) => {
  const made = await app();
  const c = client(made, base);
  const [email, newEmail] = [address(), address()];
  await c.register(email);
  await c.follow(linkIn((await made.mails()).find((mail) => mail.to === email)));
  const { accessToken, refreshToken } = await c.tokens(email);
  expectEmpty(await c.get('/manage/info'), 401);
  const before = (await c.probe(accessToken)).json;
  expect(before).toMatchObject({ amr: 'pwd', email });
  const change = (body: unknown) => c.post('/manage/info', body, { bearer: accessToken });
  expectInvalid(await change({ newEmail: 'nobody' }), 'InvalidEmail');
  expect((await change({ newEmail })).json).toEqual({ email, isEmailConfirmed: true });
  expect((await c.probe(accessToken)).json).toEqual(before);
  expectProblem(await c.login(newEmail), 'Failed');
  expect((await c.refresh(refreshToken)).status).toBe(200);
  expect((await c.follow(linkIn((await made.mails()).find((mail) => mail.to === newEmail)))).status).toBe(200);
  expect((await c.get('/manage/info', { bearer: accessToken })).json).toEqual({ email: newEmail, isEmailConfirmed: true });
  expect((await c.probe(accessToken)).json).toEqual(before);
  expectEmpty(await c.refresh(refreshToken), 401);
  const renewed = await c.tokens(newEmail);
  expect((await c.probe(renewed.accessToken)).json).toMatchObject({ email: newEmail, name: newEmail, id: before['id'] });
});

upstreamCase('C43 with a cookie neither the change nor the link sets another', async ({ base }) => {
  const made = await app();
  const c = client(made, base);
  const [email, newEmail] = [address(), address()];
  await c.register(email);
  await c.follow(linkIn((await made.mails()).find((mail) => mail.to === email)));
  const cookie = ((await c.post('/login?useCookies=true', { email, password })).cookies[0] ?? '').split(';')[0] ?? '';
  const changed = await c.post('/manage/info', { newEmail }, { cookie });
  expect([changed.status, changed.cookies]).toEqual([200, []]);
  const link = linkIn((await made.mails()).find((mail) => mail.to === newEmail)).replace('http://127.0.0.1:8080', '');
  const followed = await made.send(link, { cookie });
  expect([followed.status, followed.cookies]).toEqual([200, []]);
  const again = await c.post('/login?useCookies=true', { email: newEmail, password });
  expect((await c.get('/probe', { cookie: (again.cookies[0] ?? '').split(';')[0] ?? '' })).json).toMatchObject({ name: newEmail });
});

upstreamCase('C44 a password changes with the old one alone', async ({ base }) => {
  const c = client(await app(), base);
  const email = address();
  await c.register(email);
  const { accessToken: bearer } = await c.tokens(email);
  expectInvalid(await c.post('/manage/info', { newPassword: 'Other-Password-2' }, { bearer }), 'OldPasswordRequired');
  expect((await c.post('/manage/info', { newPassword: 'Other-Password-2', oldPassword: password }, { bearer })).status).toBe(200);
  expectProblem(await c.login(email), 'Failed');
  expect((await c.login(email, 'Other-Password-2')).status).toBe(200);
});

upstreamCase('C45 address and password change together, or neither does', async ({ base }) => {
  const made = await app();
  const c = client(made, base);
  const [email, newEmail] = [address(), address()];
  const secret = 'Other-Password-2';
  await c.register(email);
  const { accessToken: bearer } = await c.tokens(email);
  expectInvalid(await c.post('/manage/info', { newPassword: secret, newEmail }, { bearer }), 'OldPasswordRequired');
  expect((await made.mails()).filter((mail) => mail.to === newEmail)).toEqual([]);
  const all = await c.post('/manage/info', { newPassword: secret, newEmail, oldPassword: password }, { bearer });
  expect([all.status, all.json]).toEqual([200, { email, isEmailConfirmed: false }]);
  expectProblem(await c.login(newEmail, secret), 'Failed');
  expectProblem(await c.login(email), 'Failed');
  expect((await c.login(email, secret)).status).toBe(200);
  expect((await c.follow(linkIn((await made.mails()).find((mail) => mail.to === newEmail)))).status).toBe(200);
  expect((await c.get('/manage/info', { bearer })).json).toEqual({ email: newEmail, isEmailConfirmed: true });
  expect((await c.login(newEmail, secret)).status).toBe(200);
});
