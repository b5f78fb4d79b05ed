import { expect, test } from 'vitest';
import { hardenedSuite, password, signIn } from '../identity/testing/hardened-suite.ts';
import type { IdentityApp, IdentityAppOptions } from '../identity/testing/identity-app.ts';
import { linkIn } from '../identity/testing/reading.ts';

/** Accounts belong to people: what two organisations may do to one person, over HTTP. */
const { app, count, db, next, owner } = hardenedSuite(import.meta.url);

const chosen = 'Another-Calm-River-12';
type Person = Awaited<ReturnType<typeof signIn>>;
type Member = Record<string, unknown> & { readonly userId: string; readonly email: string };

function callsOf(made: IdentityApp) {
  const bearerOf = (who: Person) => who.sessions.main.token;
  const post = (path: string, body: unknown, who?: Person) =>
    made.send(`/apollo/api/${path}`, { method: 'POST', body, ...(who ? { bearer: bearerOf(who) } : {}) });
  return {
    post,
    invite: (who: Person, email: string, role = 'reader') =>
      post('members', { email, role, firstName: 'Given', lastName: 'ByInviter', phoneNumber: '123' }, who),
    members: async (who: Person) => (await made.send('/apollo/api/members', { bearer: bearerOf(who) })).json['items'] as Member[],
    organisations: async (who: Person) =>
      ((await made.send('/apollo/api/organisations', { bearer: bearerOf(who) })).json['items'] as unknown[] | undefined)?.length,
    mailed: async (email: string) => codeIn(linkIn((await made.mails()).filter((mail) => mail.to === email).at(-1))),
    register: (code: string, secret = chosen) => post('invitations/account', { code, password: secret }),
    accept: (code: string, who: Person) => post('invitations/accept', { code }, who),
    delete: (path: string, who: Person) => made.send(`/apollo/api/${path}`, { method: 'DELETE', bearer: bearerOf(who) }),
    put: (path: string, body: unknown, who: Person) => made.send(`/apollo/api/${path}`, { method: 'PUT', body, bearer: bearerOf(who) }),
  };
}

function codeIn(link: unknown): string {
  expect(link).toMatch(/\/invitation\/[\w-]{43}$/);
  return String(link).split('/').at(-1) ?? '';
}

async function ground(given?: IdentityAppOptions) {
  const made = await app(given);
  const emails = [await owner(made), await owner(made)] as const;
  const [first, second] = [await signIn(made, emails[0]), await signIn(made, emails[1])];
  return { made, first, second, emails, ...callsOf(made) };
}

/** Somebody who has accepted invitations of both organisations. */
async function shared(role = 'reader') {
  const place = await ground();
  const { made, first, second, invite, mailed, register, accept } = place;
  const email = `shared${next()}@example.com`;
  await invite(first, email, role);
  const code = await mailed(email);
  await register(code);
  const person = await signIn(made, email, chosen);
  expect((await accept(code, person)).status).toBe(200);
  await invite(second, email, role);
  expect((await accept(await mailed(email), person)).status).toBe(200);
  const { userId } = (await place.members(first)).find((one) => one.email === email) as Member;
  return { ...place, email, person, userId };
}

const events = async (organisation: string) =>
  db.asSuperuser(
    `select event, payload from audit_inbox inbox join organisations using (organisation_id, realm)
     where organisations.name like $1 and realm = 'production' order by at, id`,
    [organisation],
  );
const nameOf = async (made: IdentityApp, who: Person) =>
  ((await made.send('/apollo/api/organisations', { bearer: who.sessions.main.token })).json['items'] as { name: string }[])[0]?.name ?? '';

test('an inviter sees the address alone, and the same for an address that has an account and one that has none', async () => {
  const { made, first, second, emails, invite, members, organisations, post } = await ground();
  await made.send('/apollo/account', {
    method: 'PUT',
    body: { firstName: 'Secret', lastName: 'Name', phoneNumber: '555', language: 'de' },
    bearer: second.sessions.main.token,
  });
  const unknown = `unknown${next()}@example.com`;
  const answers = [await invite(first, emails[1]), await invite(first, unknown)];
  expect(answers.map(({ status, json }) => [status, Object.keys(json).sort(), json['link']])).toEqual([
    [201, ['link', 'userId'], null],
    [201, ['link', 'userId'], null],
  ]);
  const ofAccount = (await members(second))[0]?.userId;
  expect(answers[0]?.json['userId']).not.toBe(ofAccount);
  const rows = (await members(first)).filter(({ status }) => status === 'invited');
  const seen = rows.map(({ userId: _id, email: _email, ...rest }) => rest);
  expect(rows.map(({ email }) => email).sort()).toEqual([emails[1], unknown].sort());
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ firstName: '', lastName: '', phoneNumber: '', lastSignInAt: null, isTwoFactorEnabled: false });
  expect(await organisations(second)).toBe(1);
  const mails = (await made.mails()).filter(({ to }) => to === unknown || to === emails[1]);
  expect(new Set(mails.map(({ subject }) => subject)).size).toBeLessThanOrEqual(2);
  expect(mails.map((mail) => codeIn(linkIn(mail))).length).toBe(2);
  // Asking twice says the same of both.
  expect([(await invite(first, emails[1])).json['code'], (await invite(first, unknown)).json['code']]).toEqual([
    'identity.already-member',
    'identity.already-member',
  ]);
  expect((await post('invitations/accept', { code: 'x' }, second)).json['code']).toBe('identity.invitation-over');
});

test('a membership begins when the invited person accepts it, signed in with the invited address, once', async () => {
  const { made, first, second, emails, invite, mailed, members, organisations, accept, post } = await ground();
  await invite(first, emails[1], 'administrator');
  const code = await mailed(emails[1]);
  expect((await post('invitations/look', { code })).json).toMatchObject({ email: emails[1], inviter: emails[0], role: 'administrator' });
  expect((await post('invitations/accept', { code })).status).toBe(401);
  expect((await accept(code, first)).json['code']).toBe('identity.invitation-other-address');
  expect(await organisations(second)).toBe(1);
  const answers = await Promise.all([accept(code, second), accept(code, second)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 410]));
  expect(await organisations(second)).toBe(2);
  expect((await members(first)).find(({ email }) => email === emails[1])).toMatchObject({ status: 'active', role: 'administrator' });
  const late = `late${next()}@example.com`;
  await invite(first, late);
  const lateCode = await mailed(late);
  await made.clock.advance(7 * 86_400_000 + 1_000);
  expect((await post('invitations/look', { code: lateCode })).json['code']).toBe('identity.invitation-over');
  expect((await post('invitations/account', { code: lateCode, password: chosen })).json['code']).toBe('identity.invitation-over');
});

test('an open invitation of one organisation survives whatever another one does with its own', async () => {
  const { made, first, second, invite, mailed, register, accept, organisations, post, delete: remove } = await ground();
  const email = `both${next()}@example.com`;
  await invite(first, email);
  const code = await mailed(email);
  const { userId } = (await invite(second, email)).json as { userId: string };
  expect((await post(`members/${userId}/invitation`, undefined, second)).status).toBe(200);
  expect((await remove(`members/${userId}/invitation`, second)).status).toBe(204);
  expect((await post(`members/${userId}/invitation`, undefined, first)).status).toBe(404);
  expect((await register(code)).status).toBe(200);
  const person = await signIn(made, email, chosen);
  expect((await accept(code, person)).status).toBe(200);
  expect(await organisations(person)).toBe(1);
});

test('a link that was shown confirms no address, and creates nothing where an account exists', async () => {
  const { made, first, second, emails, invite, register, accept, organisations } = await ground({ hasMailTransport: false });
  const email = `shown${next()}@example.com`;
  const code = codeIn((await invite(first, email)).json['link']);
  expect((await register(code)).status).toBe(200);
  const person = await signIn(made, email, chosen);
  expect((await accept(code, person)).status).toBe(200);
  expect((await made.send('/apollo/manage/info', { bearer: person.sessions.main.token })).json).toEqual({ email, isEmailConfirmed: false });
  expect(await organisations(person)).toBe(1);
  // The account gets no further by being there: the other organisation's invitation needs its own link.
  const other = codeIn((await invite(second, email)).json['link']);
  expect(await organisations(person)).toBe(1);
  expect((await register(other, 'Stolen-Quiet-Meadow-77')).status).toBe(200);
  expect((await signIn(made, email, 'Stolen-Quiet-Meadow-77')).answer.status).toBe(401);
  const known = codeIn((await invite(first, emails[1])).json['link']);
  expect((await register(known, 'Stolen-Quiet-Meadow-77')).status).toBe(200);
  expect((await signIn(made, emails[1], 'Stolen-Quiet-Meadow-77')).answer.status).toBe(401);
  expect((await signIn(made, emails[1], password)).answer.status).toBe(200);
});

test('whoever proves an address by a mailed link takes it back from an account that never did', async () => {
  const shown = await ground({ hasMailTransport: false });
  const email = `squat${next()}@example.com`;
  const code = codeIn((await shown.invite(shown.first, email)).json['link']);
  await shown.register(code);
  const squatter = await signIn(shown.made, email, chosen);
  await shown.accept(code, squatter);
  await shown.made.mails();
  const passkeys = 'select count(*)::int as n from passkeys join accounts on accounts.id = account_id where email = $1';
  await db.asSuperuser(
    `insert into passkeys (id, account_id, rp_id, credential_id, public_key, counter, transports, name, created_at)
     select gen_random_uuid(), id, 'localhost', 'x', 'x', 0, '{}', 'Device of the squatter', now() from accounts where email = $1`,
    [email],
  );
  expect(await count(passkeys, [email])).toBe(1);
  const mail = await app({ clock: shown.made.clock, sealing: shown.made.sealing });
  const calls = callsOf(mail);
  const inviter = await signIn(mail, shown.emails[1]);
  await calls.invite(inviter, email);
  const proof = await calls.mailed(email);
  expect((await calls.register(proof, 'Rightful-Amber-Lantern-31')).status).toBe(200);
  expect((await mail.send('/apollo/account', { bearer: squatter.sessions.main.token })).status).toBe(401);
  expect((await signIn(mail, email, chosen)).answer.status).toBe(401);
  expect(await count(passkeys, [email])).toBe(0);
  const rightful = await signIn(mail, email, 'Rightful-Amber-Lantern-31');
  expect((await calls.accept(proof, rightful)).status).toBe(200);
  expect((await mail.send('/apollo/manage/info', { bearer: rightful.sessions.main.token })).json['isEmailConfirmed']).toBe(true);
  // Once the address is proved, no later link sets a password.
  await calls.invite(await signIn(mail, await owner(mail)), email);
  await calls.register(await calls.mailed(email), 'Third-Violet-Harbour-58');
  expect((await signIn(mail, email, 'Third-Violet-Harbour-58')).answer.status).toBe(401);
});

test.each([
  ['sessions are ended', (place: Awaited<ReturnType<typeof shared>>) => place.delete(`members/${place.userId}/sessions`, place.first), 204],
  [
    'the member is disabled',
    (place: Awaited<ReturnType<typeof shared>>) => place.put(`members/${place.userId}`, { disabled: true }, place.first),
    200,
  ],
  ['the member is removed', (place: Awaited<ReturnType<typeof shared>>) => place.delete(`members/${place.userId}`, place.first), 204],
] as const)('when %s, the person stays signed in elsewhere, and the other organisation sees it in its log', async (_what, act, status) => {
  const place = await shared();
  const { made, person, second, email, organisations } = place;
  expect(await organisations(person)).toBe(2);
  const refresh = { body: {}, cookie: person.cookie, headers: { 'sec-fetch-site': 'same-origin' } } as const;
  expect((await act(place)).status).toBe(status);
  expect(await organisations(person)).toBe(1);
  expect(await nameOf(made, person)).toBe(await nameOf(made, second));
  expect((await made.send('/apollo/refresh', refresh)).status).toBe(200);
  const log = await events(await nameOf(made, second));
  expect(log.filter(({ event }) => event === 'members.changed-elsewhere')).toHaveLength(1);
  expect(JSON.stringify(log)).toContain(email);
  expect(JSON.stringify(log.find(({ event }) => event === 'members.changed-elsewhere'))).not.toContain(place.emails[0]);
});

test('ended sessions reach the organisation again after the next sign-in alone', async () => {
  const { made, first, person, userId, email, organisations, delete: remove } = await shared();
  await remove(`members/${userId}/sessions`, first);
  expect(await organisations(person)).toBe(1);
  expect(await organisations(await signIn(made, email, chosen))).toBe(2);
  expect(await organisations(person)).toBe(1);
});

test('everybody can leave an organisation, but not its last owner', async () => {
  const { made, first, person, organisations, members, email, delete: remove } = await shared();
  const idOf = async (who: Person, at = 0) =>
    ((await made.send('/apollo/api/organisations', { bearer: who.sessions.main.token })).json['items'] as { organisationId: string }[])[at]
      ?.organisationId ?? '';
  const organisationId = await idOf(first);
  const refused = await remove(`organisations/${organisationId}/membership`, first);
  expect([refused.status, refused.json['code']]).toEqual([409, 'identity.last-owner']);
  expect((await remove(`organisations/${organisationId}/membership`, person)).status).toBe(204);
  expect(await organisations(person)).toBe(1);
  expect((await members(first)).some((member) => member.email === email)).toBe(false);
  expect((await remove(`organisations/${organisationId}/membership`, person)).status).toBe(404);
  expect((await events(await nameOf(made, first))).at(-1)).toMatchObject({ event: 'members.left' });
});

test('a server that dies during an acceptance leaves the invitation open and no membership', async () => {
  const { first, second, emails, invite, mailed, accept, organisations } = await ground();
  await invite(first, emails[1]);
  const code = await mailed(emails[1]);
  // The connection dies after all was written and before it is committed.
  await db.asSuperuser(`create function die() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
  await db.asSuperuser(`create constraint trigger die after insert on memberships deferrable initially deferred
    for each row execute function die()`);
  const before = await count('select count(*)::int as n from audit_inbox');
  try {
    expect((await accept(code, second)).status).toBeGreaterThanOrEqual(500);
  } finally {
    await db.asSuperuser('drop trigger die on memberships');
  }
  expect(await organisations(second)).toBe(1);
  expect(await count('select count(*)::int as n from audit_inbox')).toBe(before);
  expect((await accept(code, second)).status).toBe(200);
  expect(await organisations(second)).toBe(2);
});
