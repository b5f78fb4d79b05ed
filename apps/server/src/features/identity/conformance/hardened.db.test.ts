import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { totpCode } from '../totp.ts';
import { identityApp, type IdentityApp, type IdentityAppOptions, type Received } from '../testing/identity-app.ts';
import { digitsIn, keyFromBase32, linkIn } from '../testing/reading.ts';

/** Our own cases, in the profile the product runs with. Names carry the numbers of the contract. */
const db = testDatabase(import.meta.url);
const passed = new Set<string>();
const open: IdentityApp[] = [];
let turn = 0;
let ownerEmail = '';
const password = 'Sturdy-Heron-Wanders-47';
const loginPaths = ['/apollo', '/apollo-beta'] as const;

async function app(given: IdentityAppOptions = {}): Promise<IdentityApp> {
  const clock = given.clock ?? createFakeClock(Date.UTC(2026, 5, 1, 8) + (turn += 1) * 86_400_000);
  const made = await identityApp(db, {
    profile: 'hardened',
    clock,
    ...given,
    override: { secondFactor: 'optional', emailCharacters: 'upstream', ...given.override },
  });
  open.push(made);
  return made;
}

async function owner(made: IdentityApp): Promise<string> {
  ownerEmail = `owner${(turn += 1)}@example.com`;
  await made.access.identity.bootstrap.createOwner({ email: ownerEmail, password, organisation: `Organisation ${turn}` }, false);
  return ownerEmail;
}

function hardenedCase(name: string, run: () => Promise<void>, timeoutMs = 60_000): void {
  test(
    name,
    async () => {
      await run();
      for (const found of name.match(/[AH]\d+/g) ?? []) passed.add(found);
    },
    timeoutMs,
  );
}

beforeEach(async () => {
  await db.asSuperuser('delete from setup_tokens');
});
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});
afterAll(() => {
  process.stdout.write(`identity hardening: ${passed.size} own cases passed (${[...passed].sort().join(' ')})\n`);
});

const json = (answer: Received): Record<string, unknown> => answer.json;
type Sessions = Record<'main' | 'staging' | 'legacy', { token: string; expiresIn: number }>;

async function signIn(
  made: IdentityApp,
  email: string,
  secret = password,
): Promise<{ sessions: Sessions; cookie: string; answer: Received }> {
  const answer = await made.send('/api/auth/signin', { body: { email, password: secret, audiences: ['main', 'staging', 'legacy'] } });
  return { answer, sessions: answer.json['sessions'] as Sessions, cookie: (answer.cookies[0] ?? '').split(';')[0] ?? '' };
}

async function enrol(made: IdentityApp, bearer: string) {
  const start = await made.send('/apollo/manage/2fa', { body: {}, bearer });
  const key = keyFromBase32(json(start)['sharedKey'] as string);
  const enabled = await made.send('/apollo/manage/2fa', {
    body: { enable: true, twoFactorCode: totpCode(key, made.clock.nowMs()) },
    bearer,
  });
  expect(enabled.status).toBe(200);
  return { code: () => totpCode(key, made.clock.nowMs()), key, recoveryCodes: json(enabled)['recoveryCodes'] as string[] };
}

const count = async (sql: string, values: unknown[] = []): Promise<number> => (await db.asSuperuser(sql, values))[0]?.['n'] as number;

hardenedCase('A1 names of members in any case work; a wrong type is 415 and a wrong method 405 with Allow', async () => {
  const made = await app();
  const email = await owner(made);
  expect((await made.send('/apollo/login', { body: { EMAIL: email, PassWord: password } })).status).toBe(200);
  expect((await made.send('/apollo/login', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status).toBe(
    415,
  );
  const wrong = await made.send('/apollo/login');
  expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'POST']);
});

hardenedCase('A2 A11 problems have exactly one content type, and both spellings of resending answer alike', async () => {
  const made = await app();
  const email = await owner(made);
  const failed = await made.send('/apollo/login', { body: { email, password: 'wrong' } });
  expect(failed.headers['content-type']).toBe('application/problem+json');
  expect(json(failed)).toMatchObject({
    detail: 'Failed',
    message: 'Invalid Credentials.',
    code: expect.any(String),
    requestId: expect.any(String),
  });
  for (const path of ['/apollo/resendConfirmationMail', '/apollo/resendConfirmationEmail']) {
    const answer = await made.send(path, { body: { email } });
    expect([answer.status, answer.text]).toEqual([200, '']);
  }
});

hardenedCase('A3 A4 a lower-case scheme is no bearer, and an invalid bearer beside a valid cookie is final', async () => {
  const made = await app();
  const email = await owner(made);
  const cookieLogin = await made.send('/apollo/login?useCookies=true', { body: { email, password } });
  const cookie = (cookieLogin.cookies[0] ?? '').split(';')[0] ?? '';
  expect((await made.send('/apollo/probe', { cookie })).status).toBe(200);
  expect((await made.send('/apollo/probe', { cookie, headers: { authorization: 'bearer nonsense' } })).status).toBe(200);
  expect((await made.send('/apollo/probe', { cookie, bearer: 'nonsense' })).status).toBe(401);
});

hardenedCase('A5 of two parallel uses of a recovery code one wins', async () => {
  const made = await app();
  const email = await owner(made);
  const { sessions } = await signIn(made, email);
  const { recoveryCodes } = await enrol(made, sessions.main.token);
  const tries = await Promise.all(
    [0, 1].map(() => made.send('/apollo/login', { body: { email, password, twoFactorRecoveryCode: recoveryCodes[0] } })),
  );
  expect(tries.map((answer) => answer.status).sort()).toEqual([200, 401]);
});

hardenedCase('A6 parallel sign-ins never make more guesses than the limit', async () => {
  const [one, two] = [
    await app({ clock: createFakeClock(Date.UTC(2027, 0, 1)) }),
    await app({ clock: createFakeClock(Date.UTC(2027, 0, 1)) }),
  ];
  const email = await owner(one);
  const tries = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      (index % 2 === 0 ? one : two).send('/apollo/login', { body: { email, password: `Wrong-${index}` } }),
    ),
  );
  const details = tries.map((answer) => answer.json['detail']);
  expect(details.filter((detail) => detail === 'Failed')).toHaveLength(4);
  expect(details.filter((detail) => detail === 'LockedOut')).toHaveLength(20);
  expect((await one.send('/apollo/login', { body: { email, password } })).json['detail']).toBe('LockedOut');
});

hardenedCase('A7 A8 A9 a change to an address taken by then fails; codes work once and for their own account', async () => {
  const made = await app();
  const [email, other] = [await owner(made), await owner(made)];
  const { sessions } = await signIn(made, email);
  const newEmail = `new${turn}@example.com`;
  const asked = await made.send('/apollo/manage/info', { body: { newEmail, oldPassword: password }, bearer: sessions.main.token });
  expect(asked.status).toBe(200);
  const link = linkIn((await made.mails()).find((mail) => mail.to === newEmail)).replace('http://127.0.0.1:8080', '');
  await made.access.identity.bootstrap.createOwner({ email: newEmail, password, organisation: 'Quicker' }, false);
  expect((await made.send(link)).status).toBe(401);
  expect((await made.send('/apollo/manage/info', { bearer: sessions.main.token })).json['email']).toBe(email);
  await made.send('/apollo/forgotPassword', { body: { email } });
  const code = /once: (\S+)/.exec((await made.mails()).filter((mail) => mail.to === email).at(-1)?.text ?? '')?.[1];
  const reset = (to: string) =>
    made.send('/apollo/resetPassword', { body: { email: to, resetCode: code, newPassword: 'Another-Calm-River-12' } });
  expect(Object.keys((await reset(other)).json['errors'] as object)).toEqual(['InvalidToken']);
  expect((await reset(email)).status).toBe(200);
  expect(Object.keys((await reset(email)).json['errors'] as object)).toEqual(['InvalidToken']);
});

hardenedCase('A10 an unknown address costs one verification like a wrong password and locks like a real one', async () => {
  const made = await app();
  const email = await owner(made);
  const cost = async (address: string): Promise<number> => {
    const before = made.access.hasher.verifications;
    await made.send('/apollo/login', { body: { email: address, password: 'wrong' } });
    return made.access.hasher.verifications - before;
  };
  const unknown = `nobody${turn}@example.com`;
  expect([await cost(email), await cost(unknown)]).toEqual([1, 1]);
  const details = async (address: string): Promise<unknown[]> => {
    const seen: unknown[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      seen.push((await made.send('/apollo/login', { body: { email: address, password: 'wrong' } })).json['detail']);
    return seen;
  };
  expect(await details(unknown)).toEqual(await details(email));
});

hardenedCase('A12 a forged host never gets into a link', async () => {
  const made = await app();
  const email = await owner(made);
  await made.send('/api/auth/forgot-password', { body: { email }, headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
  const mail = (await made.mails()).filter((one) => one.to === email).at(-1);
  expect(linkIn(mail)).toMatch(/^http:\/\/127\.0\.0\.1:8080\/reset-password\//);
});

hardenedCase(
  'H1 eighteen requests, three succeed; refresh tokens alike; after logout all three tokens are dead on two servers',
  async () => {
    const made = await app();
    const second = await app({ clock: made.clock });
    const email = await owner(made);
    const { sessions } = await signIn(made, email);
    let succeeded = 0;
    for (const token of Object.values(sessions)) {
      for (const path of ['/apollo/probe', '/apollo-beta/probe', '/api/probe']) {
        for (const authorization of [token.token, `Bearer ${token.token}`]) {
          if ((await made.send(path, { headers: { authorization } })).status === 200) succeeded += 1;
        }
      }
    }
    expect(succeeded).toBe(3);
    const refreshes: number[] = [];
    for (const base of loginPaths) {
      for (const target of loginPaths) {
        const { refreshToken } = (await made.send(`${base}/login`, { body: { email, password } })).json;
        refreshes.push((await made.send(`${target}/refresh`, { body: { refreshToken } })).status);
      }
    }
    expect(refreshes).toEqual([200, 401, 401, 200]);
    expect((await second.send('/apollo/probe', { bearer: sessions.main.token })).status).toBe(200);
    expect((await made.send('/api/auth/logout', { method: 'POST', legacy: sessions.legacy.token })).status).toBe(204);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const server of [made, second]) {
      expect((await server.send('/apollo/probe', { bearer: sessions.main.token })).status).toBe(401);
      expect((await server.send('/apollo-beta/probe', { bearer: sessions.staging.token })).status).toBe(401);
      expect((await server.send('/api/probe', { legacy: sessions.legacy.token })).status).toBe(401);
    }
    expect((await made.send('/api/auth/logout', { method: 'POST', legacy: sessions.legacy.token })).status).toBe(204);
    expect((await made.send('/api/auth/logout', { method: 'POST' })).status).toBe(401);
    expect((await made.send('/api/auth/logout', { method: 'POST', legacy: sessions.main.token })).status).toBe(401);
  },
);

hardenedCase('H2 a refresh token used twice works for ten seconds; later it ends the session with one event', async () => {
  const made = await app();
  const email = await owner(made);
  const { sessions, cookie } = await signIn(made, email);
  const refresh = (with_: string, headers: Record<string, string> = { origin: 'http://127.0.0.1:8080' }) =>
    made.send('/apollo/refresh', { body: {}, cookie: with_, headers });
  expect((await refresh(cookie, {})).status).toBe(401);
  expect((await refresh(cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  const first = await refresh(cookie);
  expect(first.json).toMatchObject({ sessions: { main: {}, staging: {}, legacy: {} } });
  expect(first.json['refreshToken']).toBeUndefined();
  await made.clock.advance(9_000);
  expect((await refresh(cookie)).status).toBe(200);
  await made.clock.advance(2_000);
  expect((await refresh(cookie)).status).toBe(401);
  expect(
    await count("select count(*)::int as n from audit_inbox where event = 'identity.refresh-reused' and payload->>'actor' = $1", [email]),
  ).toBe(1);
  const alive = (first.json['sessions'] as Sessions).main.token;
  for (const token of [alive, sessions.main.token]) expect((await made.send('/apollo/probe', { bearer: token })).status).toBe(401);
});

hardenedCase('H3 a code counts once and only from the neighbouring steps; five wrong recovery codes lock', async () => {
  const made = await app();
  const email = await owner(made);
  const { sessions } = await signIn(made, email);
  const two = await enrol(made, sessions.main.token);
  await made.clock.advance(60_000);
  const login = (more: object) => made.send('/apollo/login', { body: { email, password, ...more } });
  const code = two.code();
  expect((await login({ twoFactorCode: code })).status).toBe(200);
  expect((await login({ twoFactorCode: code })).json['detail']).toBe('Failed');
  for (const shift of [-60_000, 60_000]) {
    expect((await login({ twoFactorCode: totpCode(two.key, made.clock.nowMs() + shift) })).json['detail']).toBe('Failed');
  }
  await made.clock.advance(301_000);
  expect((await login({ twoFactorCode: two.code() })).status).toBe(200);
  const wrong: unknown[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) wrong.push((await login({ twoFactorRecoveryCode: 'AAAAA-BBBBB' })).json['detail']);
  expect(wrong).toEqual(['Failed', 'Failed', 'Failed', 'Failed', 'LockedOut']);
});

hardenedCase('H4 H5 dangerous changes ask for proof; a new address tells the old one and ends the other sessions', async () => {
  const made = await app();
  const email = await owner(made);
  const [mine, another] = [await signIn(made, email), await signIn(made, email)];
  const bearer = mine.sessions.main.token;
  await enrol(made, bearer);
  expect((await made.send('/apollo/probe', { bearer: another.sessions.main.token })).status).toBe(401);
  const manage = (body: object) => made.send('/apollo/manage/2fa', { body, bearer });
  expect(Object.keys((await manage({ enable: false })).json['errors'] as object)).toEqual(['StepUpRequired']);
  expect(Object.keys((await manage({ resetSharedKey: true, password: 'wrong' })).json['errors'] as object)).toEqual(['PasswordMismatch']);
  expect(await count('select failed_count as n from accounts where email = $1', [email])).toBe(1);
  const newEmail = `changed${turn}@example.com`;
  const info = (body: object) => made.send('/apollo/manage/info', { body, bearer });
  expect(Object.keys((await info({ newEmail })).json['errors'] as object)).toEqual(['StepUpRequired']);
  expect((await info({ newEmail, oldPassword: password })).status).toBe(200);
  const mails = await made.mails();
  expect(mails.some((mail) => mail.to === email && mail.subject === 'Your email address is being changed')).toBe(true);
  const login = await made.send('/apollo/login', { body: { email, password, twoFactorRecoveryCode: 'none' } });
  expect(login.status).toBe(401);
  expect((await made.send(linkIn(mails.find((mail) => mail.to === newEmail)).replace('http://127.0.0.1:8080', ''))).status).toBe(200);
  expect((await made.send('/apollo/manage/info', { bearer })).json['email']).toBe(newEmail);
  expect((await made.send('/apollo/refresh', { body: {}, cookie: mine.cookie, headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(
    200,
  );
});

hardenedCase('H6 closed registration is refused for every address; open registration does not tell duplicates', async () => {
  const closed = await app();
  const email = await owner(closed);
  for (const address of [email, `fresh${turn}@example.com`]) {
    const answer = await closed.send('/apollo/register', { body: { email: address, password } });
    expect([answer.status, answer.json['code']]).toEqual([403, 'identity.registration-closed']);
  }
  const wide = await app({ override: { registration: 'open' } });
  expect((await wide.send('/apollo/register', { body: { email, password: 'Another-Calm-River-12' } })).status).toBe(200);
  expect((await wide.mails()).some((mail) => mail.to === email && mail.subject === 'You already have an account')).toBe(true);
  expect(await count('select count(*)::int as n from accounts where email = $1', [email])).toBe(1);
  expect((await wide.send('/apollo/login', { body: { email, password } })).status).toBe(200);
});

hardenedCase('H7 sessions end idle, after twelve hours, and the eleventh ends the oldest', async () => {
  const made = await app();
  const email = await owner(made);
  const legacyOnly = async (): Promise<string> =>
    (await made.send('/api/auth/signin', { body: { email, password } })).json['token'] as string;
  const token = await legacyOnly();
  await made.clock.advance(15 * 60_000);
  expect((await made.send('/api/probe', { legacy: token })).status).toBe(200);
  await made.clock.advance(15 * 60_000);
  expect((await made.send('/api/probe', { legacy: token, headers: { 'x-background-poll': '1' } })).status).toBe(200);
  await made.clock.advance(60_000);
  expect((await made.send('/api/probe', { legacy: token })).status).toBe(401);
  const lasting = await legacyOnly();
  for (let quarter = 0; quarter < 47; quarter += 1) {
    await made.clock.advance(15 * 60_000);
    expect((await made.send('/api/probe', { legacy: lasting })).status).toBe(200);
  }
  await made.clock.advance(15 * 60_000);
  expect((await made.send('/api/probe', { legacy: lasting })).status).toBe(401);
  const many: string[] = [];
  for (let index = 0; index < 11; index += 1) {
    many.push(await legacyOnly());
    await made.clock.advance(1_000);
  }
  expect((await made.send('/api/probe', { legacy: many[0] ?? '' })).status).toBe(401);
  expect((await made.send('/api/probe', { legacy: many[1] ?? '' })).status).toBe(200);
});

hardenedCase('H8 a mailed code: five attempts, ten minutes, its own challenge, nothing in clear', async () => {
  const made = await app({ override: { secondFactor: 'required' } });
  const email = await owner(made);
  const challenge = async (): Promise<string> => {
    const answer = (await made.send('/api/auth/signin', { body: { email, password, audiences: ['main', 'staging', 'legacy'] } })).json;
    expect(answer).toMatchObject({ verificationRequired: true, channels: ['email'] });
    return answer['challengeId'] as string;
  };
  const mailed = async (challengeId: string): Promise<string> => {
    expect((await made.send('/api/auth/verify-user', { body: { challengeId, channel: 'email' } })).status).toBe(200);
    return digitsIn((await made.mails()).filter((mail) => mail.to === email).at(-1));
  };
  const verify = (challengeId: string, code: string) => made.send('/api/auth/verify-code', { body: { challengeId, code } });
  const first = await challenge();
  const code = await mailed(first);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const answer = await verify(first, wrong);
    expect([answer.status, answer.json['message'], answer.json['attempts'], answer.json['attemptsLeft']]).toEqual([
      400,
      `Invalid User Verification Code. Attempts: ${attempt}`,
      attempt,
      5 - attempt,
    ]);
  }
  const after = await verify(first, code);
  expect([after.status, after.json['message']]).toEqual([401, 'Login verification failed!']);
  await made.clock.advance(20 * 60_000);
  const second = await challenge();
  const [late, third] = [await mailed(second), await challenge()];
  expect((await verify(third, late)).status).toBe(400);
  const dump = await db.asSuperuser(
    'select row_to_json(c)::text as t from sign_in_challenges c union all select row_to_json(m)::text from mails m',
  );
  expect(dump.some((row) => String(row['t']).includes(late))).toBe(false);
  await made.clock.advance(10 * 60_000);
  expect((await verify(second, late)).status).toBe(401);
  const good = await challenge();
  const done = await verify(good, await mailed(good));
  expect(Object.keys(done.json['sessions'] as object).sort()).toEqual(['legacy', 'main', 'staging']);
  const extra = await challenge();
  await mailed(extra);
  const refused = await made.send('/api/auth/verify-user', { body: { challengeId: extra, channel: 'email' } });
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
});

hardenedCase(
  'H9 locked, unknown and wrong look the same; a password alone opens only the four calls where two factors are required',
  async () => {
    const made = await app();
    const [wrong, locked] = [await owner(made), await owner(made)];
    for (let attempt = 0; attempt < 5; attempt += 1) await made.send('/api/auth/signin', { body: { email: locked, password: 'wrong' } });
    const seen = await Promise.all(
      [wrong, locked, `nobody${turn}@example.com`].map((email) => made.send('/api/auth/signin', { body: { email, password: 'wrong' } })),
    );
    const bodies = seen.map((answer) => ({ ...answer.json, requestId: '' }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(seen.map((answer) => answer.status)).toEqual([401, 401, 401]);
    const strict = await app({ override: { secondFactor: 'required' }, hasMailTransport: false });
    const email = await owner(strict);
    const { sessions, cookie } = await signIn(strict, email);
    const bearer = sessions.main.token;
    expect((await strict.send('/apollo/account', { bearer })).json['code']).toBe('identity.second-factor-required');
    expect((await strict.send('/apollo/api/members', { bearer })).status).toBe(403);
    expect((await strict.send('/apollo/sessions', { bearer })).status).toBe(403);
    expect((await strict.send('/apollo/manage/info', { bearer })).status).toBe(200);
    expect((await strict.send('/apollo/manage/2fa', { body: {}, bearer })).status).toBe(200);
    expect((await strict.send('/apollo/refresh', { body: {}, cookie, headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
    await enrol(strict, bearer);
    expect((await strict.send('/apollo/account', { bearer })).status).toBe(200);
    expect((await strict.send('/api/auth/logout', { method: 'POST', legacy: sessions.legacy.token })).status).toBe(204);
  },
);

hardenedCase('H10 the first owner is made once, whoever is quicker, and only with the token of this start', async () => {
  const made = await app();
  for (const table of ['memberships', 'organisation_keys', 'workers', 'organisations', 'accounts'])
    await db.asSuperuser(`delete from ${table}`);
  const old = await made.access.identity.bootstrap.openSetup();
  const token = await made.access.identity.bootstrap.openSetup();
  const set = (given: string | undefined, name: string) =>
    made.send('/apollo/bootstrap', { body: { token: given, email: `${name}@example.com`, password, organisation: 'First' } });
  expect((await set(old, 'old')).status).toBe(403);
  expect(
    (await made.send('/apollo/bootstrap', { body: { token, email: 'weak@example.com', password: 'short', organisation: 'First' } })).status,
  ).toBe(400);
  const answers = await Promise.all([set(token, 'one'), set(token, 'two')]);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await count('select count(*)::int as n from accounts')).toBe(1);
  expect(await count("select count(*)::int as n from memberships where role = 'owner' and realm = 'production'")).toBe(1);
  expect((await set(token, 'three')).status).toBe(404);
  expect(await made.access.identity.bootstrap.openSetup()).toBeUndefined();
});

hardenedCase('H11 invitations: not above one\u2019s own role, once, for a week, until withdrawn; the last owner stays', async () => {
  const made = await app();
  const email = await owner(made);
  const { sessions } = await signIn(made, email);
  const bearer = sessions.main.token;
  const invite = async (address: string, role: string, as = sessions.legacy.token): Promise<Received> =>
    made.send('/api/admin/user_create', { body: { email: address, role }, legacy: as });
  const linkOf = async (address: string): Promise<string> =>
    linkIn((await made.mails()).filter((mail) => mail.to === address).at(-1))
      .split('/')
      .at(-1) ?? '';
  const accept = (token: string) => made.send(`/api/auth/reset-password/${token}`, { body: { password: 'Another-Calm-River-12' } });
  const administrator = `admin${turn}@example.com`;
  const invited = await invite(administrator, 'administrator');
  expect([invited.status, invited.json['link']]).toEqual([201, null]);
  const token = await linkOf(administrator);
  expect((await accept(token)).status).toBe(200);
  expect((await accept(token)).status).toBe(400);
  const theirs = await signIn(made, administrator, 'Another-Calm-River-12');
  expect(theirs.answer.json['user']).toMatchObject({ role: 'administrator' });
  expect((await invite(`boss${turn}@example.com`, 'owner', theirs.sessions.legacy.token)).json['code']).toBe(
    'identity.invitation-above-role',
  );
  const late = `late${turn}@example.com`;
  await invite(late, 'reader');
  const lateToken = await linkOf(late);
  const gone = `gone${turn}@example.com`;
  const { userId } = (await invite(gone, 'reader')).json;
  const goneToken = await linkOf(gone);
  const fresh = await made.send(`/apollo/api/members/${userId as string}/invitation`, { method: 'POST', bearer });
  expect(fresh.status).toBe(200);
  expect((await accept(goneToken)).status).toBe(400);
  expect((await made.send(`/apollo/members/${userId as string}/invitation`, { method: 'DELETE', bearer })).status).toBe(204);
  expect((await accept(await linkOf(gone))).status).toBe(400);
  const members = (await made.send('/apollo/api/members', { bearer })).json['items'] as { userId: string; email: string }[];
  const own = members.find((member) => member.email === email)?.userId ?? '';
  for (const request of [
    made.send(`/apollo/api/members/${own}`, { method: 'DELETE', bearer }),
    made.send(`/apollo/api/members/${own}`, { method: 'PUT', body: { role: 'reader' }, bearer }),
    made.send(`/apollo/api/members/${own}`, { method: 'PUT', body: { disabled: true }, bearer }),
  ]) {
    expect((await request).json['code']).toBe('identity.last-owner');
  }
  const removed = members.find((member) => member.email === administrator)?.userId ?? '';
  expect((await made.send(`/apollo/api/members/${removed}`, { method: 'DELETE', bearer })).status).toBe(204);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await made.send('/apollo/probe', { bearer: theirs.sessions.main.token })).status).toBe(401);
  await made.clock.advance(7 * 86_400_000 + 1_000);
  expect((await accept(lateToken)).status).toBe(400);
});

hardenedCase(
  'H13 ten thousand guesses from a hundred addresses over a hundred accounts open nothing',
  async () => {
    const made = await app();
    const inside = await owner(made);
    const { sessions } = await signIn(made, inside);
    const emails: string[] = [];
    for (let index = 0; index < 100; index += 1) emails.push(await owner(made));
    let opened = 0;
    let guesses = 0;
    const before = made.access.hasher.verifications;
    for (let round = 0; round < 100; round += 1) {
      const answers = await Promise.all(
        emails.map((email, index) =>
          made.send('/apollo/login', { body: { email, password: `Guess-${round}-${index}!` } }, `192.0.2.${(round + index) % 100}`),
        ),
      );
      guesses += answers.length;
      opened += answers.filter((answer) => answer.status === 200).length;
      if (round === 50) expect((await made.send('/apollo/probe', { bearer: sessions.main.token })).status).toBe(200);
    }
    expect([guesses, opened]).toEqual([10_000, 0]);
    expect(made.access.hasher.verifications - before).toBe(10_000);
    const locks = await count("select count(*)::int as n from accounts where locked_until > $1::timestamptz + interval '5 minutes'", [
      new Date(made.clock.nowMs()),
    ]);
    expect(locks).toBe(0);
    await made.clock.advance(300_001);
    expect((await made.send('/apollo/login', { body: { email: emails[0], password } })).status).toBe(200);
    process.stdout.write(`guessing: ${guesses} guesses, ${opened} opened\n`);
  },
  240_000,
);
