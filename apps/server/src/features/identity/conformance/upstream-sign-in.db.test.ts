import { testDatabase } from '@holdfast/database/testing/test-database';
import { expect } from 'vitest';
import { linkIn } from '../testing/reading.ts';
import { client, expectEmpty, expectInvalid, expectProblem, password, upstreamSuite, type Tokens } from '../testing/upstream-suite.ts';

/** Upstream’s cases C1 to C33, black box over HTTP against both prefixes, in the profile that answers as upstream does. */
const { address, app, counted, db, upstreamCase } = upstreamSuite(import.meta.url);
const other = testDatabase(import.meta.url.replace('upstream', 'second'));

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
    const made = await app({ override: { requireConfirmedEmail: true } }, store);
    const c = client(made, base);
    expectEmpty(await c.register(email), 200);
    const link = linkIn((await made.mails()).find((mail) => mail.to === email));
    expect((await c.follow(link)).status).toBe(200);
    expect((await c.login(email)).status).toBe(200);
  }
});
