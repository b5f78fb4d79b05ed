import { expect, test } from 'vitest';
import { enrol, hardenedSuite, password, signIn } from '../testing/hardened-suite.ts';
import type { Received } from '../testing/identity-app.ts';
import { digitsIn, linkIn } from '../testing/reading.ts';

/** Our own cases about the sign-in of the portal, the first owner, invitations and mass guessing. Names carry the numbers of the contract. */
const { app, count, db, hardenedCase, next, owner } = hardenedSuite(import.meta.url);

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
      [wrong, locked, `nobody${next()}@example.com`].map((email) => made.send('/api/auth/signin', { body: { email, password: 'wrong' } })),
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
  const register = (code: string) => made.send('/apollo/api/invitations/account', { body: { code, password: 'Another-Calm-River-12' } });
  const accept = (code: string, who: string) => made.send('/apollo/api/invitations/accept', { body: { code }, bearer: who });
  const administrator = `admin${next()}@example.com`;
  const invited = await invite(administrator, 'administrator');
  expect([invited.status, invited.json['link']]).toEqual([201, null]);
  const token = await linkOf(administrator);
  expect((await register(token)).status).toBe(200);
  const joining = (await signIn(made, administrator, 'Another-Calm-River-12')).sessions.main.token;
  expect((await accept(token, joining)).status).toBe(200);
  expect((await accept(token, joining)).status).toBe(410);
  expect((await register(token)).status).toBe(410);
  const theirs = await signIn(made, administrator, 'Another-Calm-River-12');
  expect(theirs.answer.json['user']).toMatchObject({ role: 'administrator' });
  expect((await invite(`boss${next()}@example.com`, 'owner', theirs.sessions.legacy.token)).json['code']).toBe(
    'identity.invitation-above-role',
  );
  // Who may not give a role gets no link to it either, nor takes it away.
  const boss = (await invite(`boss${next()}@example.com`, 'owner')).json['userId'] as string;
  for (const method of ['POST', 'DELETE'] as const) {
    const refused = await made.send(`/apollo/api/members/${boss}/invitation`, { method, bearer: theirs.sessions.main.token });
    expect(refused.json['code']).toBe('identity.invitation-above-role');
  }
  const late = `late${next()}@example.com`;
  await invite(late, 'reader');
  const lateToken = await linkOf(late);
  const gone = `gone${next()}@example.com`;
  const { userId } = (await invite(gone, 'reader')).json;
  const goneToken = await linkOf(gone);
  const fresh = await made.send(`/apollo/api/members/${userId as string}/invitation`, { method: 'POST', bearer });
  expect(fresh.status).toBe(200);
  expect((await register(goneToken)).status).toBe(410);
  expect((await made.send(`/apollo/members/${userId as string}/invitation`, { method: 'DELETE', bearer })).status).toBe(204);
  expect((await register(await linkOf(gone))).status).toBe(410);
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
  // The server hears of it by the database.
  await expect.poll(async () => (await made.send('/apollo/probe', { bearer: theirs.sessions.main.token })).status).toBe(401);
  await made.clock.advance(7 * 86_400_000 + 1_000);
  expect((await register(lateToken)).status).toBe(410);
});

test('whose access has ended sees neither the organisation nor anything of it', async () => {
  const made = await app();
  const email = await owner(made);
  const bearer = (await signIn(made, email)).sessions.main.token;
  const seen = async (): Promise<unknown[]> => {
    const items = (await made.send('/apollo/api/organisations', { bearer })).json['items'] as unknown[];
    const { role, memberships } = (await made.send('/apollo/account', { bearer })).json as { role: string | null; memberships: unknown[] };
    return [items.length, role, memberships.length];
  };
  expect(await seen()).toEqual([1, 'owner', 1]);
  const of = '(select id from accounts where email = $1)';
  await db.asSuperuser(`update memberships set ends_at = $2 where account_id = ${of}`, [email, new Date(made.clock.nowMs())]);
  expect(await seen()).toEqual([0, null, 0]);
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
