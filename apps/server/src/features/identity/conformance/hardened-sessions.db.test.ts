import { expect } from 'vitest';
import { totpCode } from '../totp.ts';
import { enrol, hardenedSuite, password, signIn, type Sessions } from '../testing/hardened-suite.ts';
import { keyFromBase32, linkIn } from '../testing/reading.ts';

/** Our own cases about tokens, sessions and step-up. Names carry the numbers of the contract. */
const { app, count, hardenedCase, next, owner } = hardenedSuite(import.meta.url);
const loginPaths = ['/apollo', '/apollo-beta'] as const;

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
    for (const server of [made, second]) {
      // The other server hears of it by the database.
      await expect.poll(async () => (await server.send('/apollo/probe', { bearer: sessions.main.token })).status).toBe(401);
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
  const newEmail = `changed${next()}@example.com`;
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

hardenedCase('H15 the key of an authenticator is shown until it is on, never again, and not kept for the next setup', async () => {
  const made = await app();
  const email = await owner(made);
  const bearer = (await signIn(made, email)).sessions.main.token;
  const manage = (body: object) => made.send('/apollo/manage/2fa', { body, bearer });
  const shown = (await manage({})).json['sharedKey'] as string;
  expect(shown).toMatch(/^[A-Z2-7]{32}$/);
  const two = await enrol(made, bearer);
  expect((await manage({})).json).toMatchObject({ sharedKey: '', isTwoFactorEnabled: true });
  const again = await manage({ enable: true, twoFactorCode: '000000' });
  expect(Object.keys(again.json['errors'] as object)).toEqual(['InvalidTwoFactorCode']);
  expect(await count('select failed_count as n from accounts where email = $1', [email])).toBe(1);
  await made.clock.advance(60_000);
  const off = await manage({ enable: false, twoFactorCode: two.code() });
  expect([off.status, off.json['isTwoFactorEnabled']]).toEqual([200, false]);
  expect((await manage({})).json['sharedKey']).toMatch(/^[A-Z2-7]{32}$/);
  expect((await manage({})).json['sharedKey']).not.toBe(shown);
});

hardenedCase('H16 a code of a key that is not turned on proves nothing: no new address, no mail, and it counts as wrong', async () => {
  const made = await app();
  const email = await owner(made);
  const bearer = (await signIn(made, email)).sessions.main.token;
  const key = keyFromBase32((await made.send('/apollo/manage/2fa', { body: {}, bearer })).json['sharedKey'] as string);
  const newEmail = `taken${next()}@example.com`;
  const info = (body: object) => made.send('/apollo/manage/info', { body: { newEmail, ...body }, bearer });
  const before = (await made.mails()).length;
  const refused = await info({ twoFactorCode: totpCode(key, made.clock.nowMs()) });
  expect([refused.status, Object.keys(refused.json['errors'] as object)]).toEqual([400, ['InvalidTwoFactorCode']]);
  expect((await made.mails()).length).toBe(before);
  expect(await count('select failed_count as n from accounts where email = $1', [email])).toBe(1);
  await made.send('/apollo/manage/2fa', { body: { enable: true, twoFactorCode: totpCode(key, made.clock.nowMs()) }, bearer });
  await made.clock.advance(60_000);
  expect((await info({ twoFactorCode: totpCode(key, made.clock.nowMs()) })).status).toBe(200);
});

hardenedCase('H6 closed registration is refused for every address; open registration does not tell duplicates', async () => {
  const closed = await app();
  const email = await owner(closed);
  for (const address of [email, `fresh${next()}@example.com`]) {
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
