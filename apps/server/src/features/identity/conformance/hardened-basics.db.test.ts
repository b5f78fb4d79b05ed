import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect } from 'vitest';
import { enrol, hardenedSuite, password, signIn } from '../testing/hardened-suite.ts';
import { linkIn } from '../testing/reading.ts';

/** Our own cases about the wire, codes and guessing at one account. Names carry the numbers of the contract. */
const { app, hardenedCase, next, owner } = hardenedSuite(import.meta.url);

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
  expect(failed.json).toMatchObject({
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
  expect(tries.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 401]);
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
  const newEmail = `new${next()}@example.com`;
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
  const unknown = `nobody${next()}@example.com`;
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
