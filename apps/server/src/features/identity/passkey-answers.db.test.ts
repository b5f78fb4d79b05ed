import { expect } from 'vitest';
import { hardenedSuite, signIn, type Sessions } from './testing/hardened-suite.ts';
import type { IdentityApp, IdentityAppOptions } from './testing/identity-app.ts';
import { begin, come, creationOf, enter, events, leave, list, origin, person, register, told } from './testing/passkey-people.ts';
import { makePasskey, type Manner, type SoftPasskey } from './testing/soft-authenticator.ts';

/** Answers of devices that are none to what was asked: replayed, borrowed, from elsewhere, too late, unverified, copied. */
const suite = hardenedSuite(import.meta.url);
const { hardenedCase, db } = suite;

const app = (given: IdentityAppOptions = {}): Promise<IdentityApp> => suite.app({ publicUrl: origin, ...given });

hardenedCase('H18 what a device made counts once, in the session that asked, in time, at our origin and verified', async () => {
  const made = await app();
  const [who, other] = [await person(suite, made), await person(suite, made)];
  const send = (passkey: SoftPasskey, bearer = who.bearer) =>
    made.send('/apollo/api/passkeys', { body: { name: 'x', made: passkey.made }, bearer });
  for (const manner of [
    { origin: 'https://backup.contoso.example.evil.example' },
    { origin: 'https://backup.contoso.example:8443' },
    { rpId: 'contoso.example' },
    { challenge: 'c29tZXRoaW5nIGVsc2U' },
    { type: 'webauthn.get' },
    { isVerified: false },
  ] satisfies Manner[]) {
    expect([manner, told((await register(made, who, { manner })).answer)]).toEqual([manner, '400 passkeys.not-accepted']);
  }
  const foreign = makePasskey(creationOf(await begin(made, who)), origin);
  expect(told(await send(foreign, other.bearer))).toBe('400 passkeys.not-accepted');
  const { sessions } = (await signIn(made, who.email)).answer.json as { sessions: Sessions };
  expect(told(await send(foreign, sessions.main.token))).toBe('400 passkeys.not-accepted');
  const late = makePasskey(creationOf(await begin(made, who)), origin);
  await made.clock.advance(5 * 60_000);
  expect(told(await send(late))).toBe('400 passkeys.not-accepted');
  const { passkey, answer } = await register(made, who);
  expect(answer.status).toBe(200);
  expect(told(await send(passkey))).toBe('400 passkeys.not-accepted');
  const again = await register(made, other, { manner: { credentialId: passkey.credentialId } });
  expect(told(again.answer)).toBe('400 passkeys.not-accepted');
  expect([(await list(made, who)).items.length, (await list(made, other)).items.length]).toEqual([1, 0]);
});

hardenedCase(
  'H19 a signature counts once, in the browser that asked, in time, at our origin, verified, and from the right key',
  async () => {
    const made = await app();
    const who = await person(suite, made);
    const { passkey } = await register(made, who);
    const stranger = await person(suite, made);
    const { passkey: foreign } = await register(made, stranger);
    for (const manner of [
      { origin: 'https://evil.example' },
      { origin: 'http://backup.contoso.example' },
      { rpId: 'evil.example' },
      { challenge: 'c29tZXRoaW5nIGVsc2U' },
      { type: 'webauthn.create' },
      { isVerified: false },
      { userHandle: null },
      { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
    ] satisfies Manner[]) {
      expect([manner, told(await enter(made, passkey, manner))]).toEqual([manner, '401 passkeys.refused']);
      await db.asSuperuser('update accounts set failed_count = 0, locked_until = null');
    }
    const one = await leave(made);
    const another = await leave(made);
    const right = passkey.sign(one.request);
    expect(told(await come(made, right, another.cookie))).toBe('401 passkeys.refused');
    expect(told(await come(made, right, undefined))).toBe('401 passkeys.refused');
    const borrowed = foreign.sign(one.request);
    const mixed = { ...borrowed, id: right.id, rawId: right.rawId };
    expect(told(await come(made, mixed, one.cookie))).toBe('401 passkeys.refused');
    const two = await leave(made);
    const answer = passkey.sign(two.request);
    expect((await come(made, answer, two.cookie)).status).toBe(200);
    expect(told(await come(made, answer, two.cookie))).toBe('401 passkeys.refused');
    const late = await leave(made);
    await made.clock.advance(5 * 60_000);
    expect(told(await come(made, passkey.sign(late.request), late.cookie))).toBe('401 passkeys.refused');
    const { sessions } = (await enter(made, passkey)).json as { sessions: Sessions };
    const unknown = makePasskey(creationOf(await begin(made, { ...who, bearer: sessions.main.token })), origin);
    expect(told(await enter(made, unknown))).toBe('401 passkeys.refused');
  },
);

hardenedCase('H19 of two uses of one signature at once one signs in', async () => {
  const made = await app();
  const { passkey } = await register(made, await person(suite, made));
  const { request, cookie } = await leave(made);
  const answer = passkey.sign(request, { counter: 1 });
  const results = await Promise.all([1, 2, 3, 4].map(async () => (await come(made, answer, cookie)).status));
  expect(results.toSorted((one, other) => one - other)).toEqual([200, 401, 401, 401]);
});

hardenedCase('H20 a counter that does not grow is a copy: it is refused and told; devices without a counter stay welcome', async () => {
  const made = await app();
  const who = await person(suite, made);
  const { passkey } = await register(made, who, { manner: { counter: 7 } });
  expect((await enter(made, passkey, { counter: 9 })).status).toBe(200);
  for (const counter of [9, 8, 0]) expect(told(await enter(made, passkey, { counter }))).toBe('401 passkeys.refused');
  expect((await events(db, who.email)).filter((event) => event === 'identity.passkey-copied')).toHaveLength(3);
  expect((await enter(made, passkey, { counter: 10 })).status).toBe(200);
  const { passkey: without } = await register(made, await person(suite, made));
  expect([(await enter(made, without)).status, (await enter(made, without)).status]).toEqual([200, 200]);
});

hardenedCase('H21 wrong signatures are counted and lock like wrong passwords; while locked the right one opens nothing', async () => {
  const made = await app();
  const who = await person(suite, made);
  const { passkey } = await register(made, who);
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await enter(made, passkey, { isVerified: false })).status).toBe(401);
  expect(told(await enter(made, passkey))).toBe('401 passkeys.refused');
  expect((await events(db, who.email)).slice(-3)).toEqual([
    'identity.second-factor-wrong',
    'identity.locked-out',
    'identity.sign-in-while-locked',
  ]);
  await made.clock.advance(301_000);
  expect((await enter(made, passkey)).status).toBe(200);
});
