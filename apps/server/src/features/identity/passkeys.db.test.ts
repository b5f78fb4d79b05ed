import { expect } from 'vitest';
import { enrol, hardenedSuite, password, signIn, type Sessions } from './testing/hardened-suite.ts';
import type { IdentityApp, IdentityAppOptions } from './testing/identity-app.ts';
import {
  begin,
  come,
  creationOf,
  enter,
  events,
  halfway,
  leave,
  list,
  optionsFor,
  origin,
  person,
  register,
  remove,
  told,
  verify,
} from './testing/passkey-people.ts';
import { keyFromBase32 } from './testing/reading.ts';
import { makePasskey, type SoftPasskey } from './testing/soft-authenticator.ts';
import { totpCode } from './totp.ts';

/** Passkeys over HTTP: made with proof, used alone and after the password, removed, and what they protect. */
const suite = hardenedSuite(import.meta.url);
const { hardenedCase, owner, db } = suite;
const moved = 'https://archive.contoso.example';

const app = (given: IdentityAppOptions = {}): Promise<IdentityApp> => suite.app({ publicUrl: origin, ...given });

hardenedCase(
  'H16 a passkey is made with fresh proof, named, listed, and signs in alone as two factors with its place in the log',
  async () => {
    const made = await app();
    const who = await person(suite, made);
    const asked = creationOf(await begin(made, who));
    expect(asked).toMatchObject({
      rp: { id: 'backup.contoso.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const { passkey, answer } = await register(made, who, { name: '  Work laptop ' });
    expect(answer.status).toBe(200);
    expect(answer.json['recoveryCodes']).toHaveLength(10);
    const second = await register(made, who, { name: 'Phone' });
    expect(second.answer.json['recoveryCodes']).toBeNull();
    const entered = await enter(made, passkey);
    expect(entered.status).toBe(200);
    const { sessions } = entered.json as { sessions: Sessions };
    expect(Object.keys(sessions).sort()).toEqual(['legacy', 'main', 'staging']);
    expect((await made.send('/apollo/probe', { bearer: sessions.main.token })).json).toMatchObject({ email: who.email, amr: 'mfa' });
    const { isPossible, items } = await list(made, { ...who, bearer: sessions.main.token });
    expect([isPossible, items.map(({ name, lastUsedAt }) => [name, lastUsedAt !== null])]).toEqual([
      true,
      [
        ['Work laptop', true],
        ['Phone', false],
      ],
    ]);
    expect((await events(db, who.email)).filter((event) => event.includes('passkey'))).toEqual([
      'identity.passkey-added',
      'identity.passkey-added',
    ]);
    const [last] = await db.asSuperuser(
      "select payload->'details'->>'factors' as factors from audit_inbox where event = 'identity.signed-in' and payload->>'actor' = $1 order by id desc limit 1",
      [who.email],
    );
    expect(last?.['factors']).toBe('passkey');
  },
);

hardenedCase('H16 both realms register, list and sign in; the cookie of one does for no other', async () => {
  const made = await app();
  const email = await owner(made);
  const { sessions } = await signIn(made, email);
  const asked = await made.send('/apollo-beta/api/passkeys/creation', { body: { password }, bearer: sessions.staging.token });
  const passkey = makePasskey(creationOf(asked), origin);
  const body = { name: 'Key', made: passkey.made };
  expect((await made.send('/apollo-beta/api/passkeys', { body, bearer: sessions.staging.token })).status).toBe(200);
  const { request, cookie } = await leave(made, '/apollo-beta');
  expect((await come(made, passkey.sign(request), cookie, '/apollo-beta')).status).toBe(200);
});

hardenedCase(
  'H17 a session alone adds no passkey: password or code is asked for, a wrong one is counted and named at its field',
  async () => {
    const made = await app();
    const who = await person(suite, made);
    for (const [proof, field] of [
      [{}, 'password'],
      [{ password: 'not-this-one-1!' }, 'password'],
      [{ twoFactorCode: '123456' }, 'twoFactorCode'],
    ] as const) {
      const refused = await begin(made, who, proof);
      expect([refused.status, Object.keys(refused.json['errors'] as object)]).toEqual([400, [field]]);
    }
    expect(await suite.count('select failed_count as n from accounts where email = $1', [who.email])).toBe(2);
    const unasked = makePasskey({ ...creationOf(await begin(made, who)), challenge: 'AAAA' }, origin).made;
    expect(told(await made.send('/apollo/api/passkeys', { body: { name: 'x', made: unasked }, bearer: who.bearer }))).toBe(
      '400 passkeys.not-accepted',
    );
    const authenticator = await enrol(made, who.bearer);
    await made.clock.advance(60_000);
    expect((await begin(made, who, { twoFactorCode: authenticator.code() })).status).toBe(200);
    expect((await list(made, who)).items).toEqual([]);
  },
);

hardenedCase('H17 the codes of an app that is not on yet prove nothing, and after five wrong proofs the right one waits too', async () => {
  const made = await app();
  const who = await person(suite, made);
  const start = await made.send('/apollo/manage/2fa', { body: {}, bearer: who.bearer });
  expect(start.json['sharedKey']).not.toBe('');
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await begin(made, who, { twoFactorCode: '000000' })).status).toBe(400);
  expect((await begin(made, who)).status).toBe(400);
  await made.clock.advance(301_000);
  expect((await begin(made, who)).status).toBe(200);
});

hardenedCase(
  'H22 after the password a passkey is the second factor; that of somebody else, of another sign-in and a used one are none',
  async () => {
    const made = await app({ override: { secondFactor: 'required' } });
    const [mine, theirs] = [await owner(made), await owner(made)];
    const people: { email: string; passkey: SoftPasskey }[] = [];
    for (const email of [mine, theirs]) {
      const login = await made.send('/apollo/login', { body: { email, password } });
      const who = { email, bearer: login.json['accessToken'] as string };
      expect(told(await made.send('/apollo/account', { bearer: who.bearer }))).toBe('403 identity.second-factor-required');
      const { passkey, answer } = await register(made, who);
      expect(answer.status).toBe(200);
      expect((await made.send('/apollo/account', { bearer: who.bearer })).json).toMatchObject({ isTwoFactorEnabled: true });
      people.push({ email, passkey });
    }
    const [own, other] = people as [(typeof people)[0], (typeof people)[0]];
    const asked = await halfway(made, own.email);
    expect([asked.answer.status, asked.channels]).toEqual([200, ['passkey']]);
    expect(asked.answer.json['sessions']).toBeUndefined();
    const request = await optionsFor(made, asked.challengeId);
    expect(request.allowCredentials.map(({ id }) => id)).toEqual([own.passkey.made.id]);
    expect(told(await verify(made, asked.challengeId, other.passkey.sign(request)))).toBe('401 passkeys.refused');
    const elsewhere = await halfway(made, own.email);
    const right = own.passkey.sign(request);
    expect(told(await verify(made, elsewhere.challengeId, right))).toBe('401 passkeys.refused');
    const alone = await leave(made);
    expect(told(await come(made, right, alone.cookie))).toBe('401 passkeys.refused');
    expect(told(await verify(made, asked.challengeId, own.passkey.sign(alone.request)))).toBe('401 passkeys.refused');
    await db.asSuperuser('update accounts set failed_count = 0, locked_until = null');
    const entered = await verify(
      made,
      asked.challengeId,
      own.passkey.sign(await optionsFor(made, asked.challengeId), { userHandle: null }),
    );
    expect([told(entered), Object.keys(entered.json['sessions'] as object)]).toEqual(['200 ', ['main', 'staging', 'legacy']]);
    const { sessions } = entered.json as { sessions: Sessions };
    expect((await made.send('/apollo/account', { bearer: sessions.main.token })).status).toBe(200);
    expect(told(await verify(made, asked.challengeId, right))).toBe('401 identity.verification-failed');
  },
);

hardenedCase('H22 five wrong passkeys end a sign-in, its right one too', async () => {
  const made = await app();
  const who = await person(suite, made);
  const { passkey } = await register(made, who);
  const { challengeId } = await halfway(made, who.email);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const request = await optionsFor(made, challengeId);
    expect(told(await verify(made, challengeId, passkey.sign(request, { isVerified: false })))).toBe('401 passkeys.refused');
  }
  await made.clock.advance(301_000);
  const options = await made.send('/api/auth/passkey-options', { body: { challengeId } });
  expect(told(options)).toBe('401 identity.verification-failed');
});

hardenedCase(
  'H23 an account with a passkey is protected on every way in: the password alone opens none, a recovery code stands in once',
  async () => {
    const made = await app();
    const who = await person(suite, made);
    const { answer } = await register(made, who);
    const [code = '', next = ''] = answer.json['recoveryCodes'] as string[];
    const login = (more: object = {}) => made.send('/apollo/login', { body: { email: who.email, password, ...more } });
    expect((await login()).json['detail']).toBe('RequiresTwoFactor');
    expect((await login({ twoFactorCode: '123456' })).json['detail']).toBe('Failed');
    const opened = await login({ twoFactorRecoveryCode: code });
    expect((await made.send('/apollo/probe', { bearer: opened.json['accessToken'] as string })).json['amr']).toBe('mfa');
    expect((await login({ twoFactorRecoveryCode: code })).json['detail']).toBe('Failed');
    const { challengeId, channels } = await halfway(made, who.email);
    expect(channels).toEqual(['passkey']);
    expect((await made.send('/api/auth/verify-user', { body: { challengeId, channel: 'email' } })).status).toBe(401);
    expect((await made.send('/api/auth/verify-code', { body: { challengeId, code: next } })).status).toBe(200);
  },
);

hardenedCase('H23 with a passkey, a session alone turns no app on and makes no recovery codes', async () => {
  const made = await app();
  const who = await person(suite, made);
  await register(made, who);
  const manage = (body: object) => made.send('/apollo/manage/2fa', { body, bearer: who.bearer });
  const start = await manage({});
  const twoFactorCode = totpCode(keyFromBase32(start.json['sharedKey'] as string), made.clock.nowMs());
  for (const body of [{ enable: true, twoFactorCode }, { resetRecoveryCodes: true, twoFactorCode }, { resetSharedKey: true }]) {
    expect(Object.keys((await manage(body)).json['errors'] as object)).toEqual(['StepUpRequired']);
  }
  expect((await manage({ enable: true, twoFactorCode, password })).json['isTwoFactorEnabled']).toBe(true);
  const { channels } = await halfway(made, who.email);
  expect(channels).toEqual(['passkey', 'totp']);
});

hardenedCase('H24 adding and removing end every other session; what was removed opens nothing; both are in the log', async () => {
  const made = await app();
  const email = await owner(made);
  const [mine, another] = [await signIn(made, email), await signIn(made, email)];
  const who = { email, bearer: mine.sessions.main.token };
  const { passkey } = await register(made, who);
  expect((await made.send('/apollo/probe', { bearer: another.sessions.main.token })).status).toBe(401);
  const [row] = (await list(made, who)).items;
  const entered = (await enter(made, passkey)).json as { sessions: Sessions };
  expect(Object.keys((await remove(made, who, row?.passkeyId ?? '', {})).json['errors'] as object)).toEqual(['password']);
  expect((await remove(made, await person(suite, made), row?.passkeyId ?? '')).status).toBe(404);
  expect((await remove(made, who, row?.passkeyId ?? '')).status).toBe(204);
  expect((await made.send('/apollo/probe', { bearer: entered.sessions.main.token })).status).toBe(401);
  expect(told(await enter(made, passkey))).toBe('401 passkeys.refused');
  expect((await events(db, email)).filter((event) => event.startsWith('identity.passkey'))).toEqual([
    'identity.passkey-added',
    'identity.passkey-removed',
  ]);
  expect((await signIn(made, email)).sessions.main.token).toBeDefined();
});

hardenedCase('H25 the last way in stays: where a second factor is asked for and nothing else gives one', async () => {
  const made = await app({ override: { secondFactor: 'required' }, hasMailTransport: false });
  const email = await owner(made);
  const login = await made.send('/apollo/login', { body: { email, password } });
  const who = { email, bearer: login.json['accessToken'] as string };
  await register(made, who);
  const idOf = async (at: number): Promise<string> => (await list(made, who)).items[at]?.passkeyId ?? '';
  expect(told(await remove(made, who, await idOf(0)))).toBe('409 passkeys.last-way-in');
  await register(made, who, { name: 'Phone' });
  expect((await remove(made, who, await idOf(0))).status).toBe(204);
  expect(told(await remove(made, who, await idOf(0)))).toBe('409 passkeys.last-way-in');
  const start = await made.send('/apollo/manage/2fa', { body: {}, bearer: who.bearer });
  const twoFactorCode = totpCode(keyFromBase32(start.json['sharedKey'] as string), made.clock.nowMs());
  expect((await made.send('/apollo/manage/2fa', { body: { enable: true, twoFactorCode, password }, bearer: who.bearer })).status).toBe(200);
  expect((await remove(made, who, await idOf(0))).status).toBe(204);
});

hardenedCase(
  'H26 passkeys belong to the public address: elsewhere none is made or used, and they go on asking for a second factor',
  async () => {
    const made = await app();
    const who = await person(suite, made);
    const { passkey, answer } = await register(made, who);
    const [code = ''] = answer.json['recoveryCodes'] as string[];
    const after = await app({ publicUrl: moved, clock: made.clock });
    const { request, cookie } = await leave(after);
    expect(request.rpId).toBe('archive.contoso.example');
    expect(told(await come(after, passkey.sign(request), cookie))).toBe('401 passkeys.refused');
    const asked = await halfway(after, who.email);
    expect((await optionsFor(after, asked.challengeId)).allowCredentials).toEqual([]);
    expect((await after.send('/api/auth/verify-code', { body: { challengeId: asked.challengeId, code } })).status).toBe(200);
    const [row] = (await list(after, who)).items;
    expect(row).toMatchObject({ isOfOtherAddress: true });
    const bare = await app({ publicUrl: 'http://127.0.0.1:8080', clock: made.clock });
    expect(told(await begin(bare, who))).toBe('409 passkeys.not-possible');
    expect(told(await bare.send('/apollo/api/passkey-sign-in/start', { method: 'POST' }))).toBe('409 passkeys.not-possible');
    expect((await list(bare, who)).isPossible).toBe(false);
  },
);

hardenedCase('H27 the console takes passkeys away with the second factor, and a disabled account opens to none', async () => {
  const made = await app();
  const [who, other] = [await person(suite, made), await person(suite, made)];
  const { passkey } = await register(made, who);
  const { passkey: theirs } = await register(made, other);
  expect(await made.access.identity.recovery.resetTwoFactor(who.email)).toBe(true);
  expect(told(await enter(made, passkey))).toBe('401 passkeys.refused');
  expect((await signIn(made, who.email)).sessions.main.token).toBeDefined();
  await db.asSuperuser('update accounts set disabled_at = now() where email = $1', [other.email]);
  expect(told(await enter(made, theirs))).toBe('401 passkeys.refused');
});

hardenedCase('H28 an account holds twenty passkeys, of two that come at once for the last place one', async () => {
  const made = await app();
  const who = await person(suite, made);
  for (let at = 0; at < 19; at += 1) expect((await register(made, who, { name: `Key ${at}` })).answer.status).toBe(200);
  const two = await Promise.all([begin(made, who), begin(made, who)]);
  const answers = await Promise.all(
    two.map((asked) =>
      made.send('/apollo/api/passkeys', { body: { name: 'x', made: makePasskey(creationOf(asked), origin).made }, bearer: who.bearer }),
    ),
  );
  expect(answers.map(told).sort()).toEqual(['200 ', '409 passkeys.too-many']);
  expect(told(await begin(made, who))).toBe('409 passkeys.too-many');
});

hardenedCase('H28 a name in two lines, an empty one and bodies that are no answers are refused at their fields', async () => {
  const made = await app();
  const who = await person(suite, made);
  const { made: key } = makePasskey(creationOf(await begin(made, who)), origin);
  const send = (body: object) => made.send('/apollo/api/passkeys', { body, bearer: who.bearer });
  for (const name of ['', '  ', 'two\nlines', 'x'.repeat(61), '\u202Eturned']) {
    const refused = await send({ name, made: key });
    expect([name, refused.status, Object.keys((refused.json['errors'] as object | undefined) ?? {})]).toEqual([name, 400, ['name']]);
  }
  expect((await send({ name: 'Key', made: { ...key, id: '!' } })).status).toBe(400);
  expect((await send({ name: 'Key', made: { ...key, response: { ...key.response, attestationObject: 'oA' } } })).status).toBe(400);
  const { cookie } = await leave(made);
  expect((await made.send('/apollo/api/passkey-sign-in/complete', { body: { answer: {} }, cookie })).status).toBe(400);
});
