import { expect, test } from 'vitest';
import { enrol, hardenedSuite, password, signIn } from './testing/hardened-suite.ts';
import type { IdentityApp } from './testing/identity-app.ts';
import { linkIn } from './testing/reading.ts';

/** Strangers who guess at an address keep out nobody who has signed in before, and a known device gives no more guesses than an unknown one. */
const { app, count, owner } = hardenedSuite(import.meta.url);

const wrong = 'Wrong-Guess-Entirely-1!';

function deviceIn(cookies: readonly string[]): string {
  return cookies.find((one) => one.startsWith('holdfast-device='))?.split(';')[0] ?? '';
}

async function known(made: IdentityApp) {
  const email = await owner(made);
  const { answer, sessions } = await signIn(made, email);
  const guess = async (secret: string, cookie?: string) => {
    const body = { email, password: secret, audiences: ['main', 'staging', 'legacy'] };
    return made.send('/api/auth/signin', { body, ...(cookie === undefined ? {} : { cookie }) }, '203.0.113.9');
  };
  const lock = async () => {
    for (let turn = 0; turn < 5; turn += 1) expect((await guess(wrong)).status).toBe(401);
    expect((await guess(password)).status).toBe(401);
  };
  return { email, device: deviceIn(answer.cookies), cookies: answer.cookies, bearer: sessions.main.token, guess, lock };
}

test('a device that somebody signed in with gets through while strangers keep the address locked', async () => {
  const made = await app();
  const { device, cookies, guess, lock, email } = await known(made);
  expect(cookies.find((one) => one.startsWith('holdfast-device='))).toMatch(/Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict/);
  await lock();
  const again = await guess(password, device);
  expect(again.status).toBe(200);
  // The sign-in gives the strangers no new attempts.
  expect((await guess(password)).status).toBe(401);
  expect((await made.send('/apollo/login', { body: { email, password }, cookie: deviceIn(again.cookies) })).status).toBe(200);
  expect((await made.send('/apollo/login', { body: { email, password } })).json['detail']).toBe('LockedOut');
});

test('a known device has five attempts of its own, which use up nobody else’s', async () => {
  const made = await app();
  const { device, guess, email } = await known(made);
  for (let turn = 0; turn < 5; turn += 1) expect((await guess(wrong, device)).status).toBe(401);
  expect((await guess(password, device)).status).toBe(401);
  expect(await count('select failed_count as n from accounts where email = $1', [email])).toBe(0);
  expect((await guess(password)).status).toBe(200);
  await made.clock.advance(300_001);
  for (let turn = 0; turn < 4; turn += 1) await guess(wrong, device);
  expect((await guess(password, device)).status).toBe(200);
  for (let turn = 0; turn < 4; turn += 1) await guess(wrong, device);
  expect((await guess(password, device)).status).toBe(200);
});

test('a new password that is set by mail ends the lock, also on a device that nobody knows', async () => {
  const made = await app();
  const { guess, lock, email } = await known(made);
  await lock();
  await made.send('/api/auth/forgot-password', { body: { email } });
  const link = linkIn((await made.mails()).filter(({ to }) => to === email).at(-1));
  const newPassword = 'Another-Calm-River-12';
  expect((await made.send(`/api/auth/reset-password/${link.split('/').at(-1)}`, { body: { password: newPassword } })).status).toBe(200);
  expect((await guess(newPassword)).status).toBe(200);
});

test('the second factor of a known device is neither blocked by strangers nor guessed without end', async () => {
  const made = await app();
  const { device, guess, bearer, email } = await known(made);
  const { code } = await enrol(made, bearer);
  for (let turn = 0; turn < 5; turn += 1) await guess(wrong);
  await made.clock.advance(60_000);
  const challenge = async () => (await guess(password, device)).json['challengeId'] as string;
  const verify = (challengeId: string, digits: string) =>
    made.send('/api/auth/verify-code', { body: { challengeId, code: digits }, cookie: device });
  expect((await verify(await challenge(), code())).status).toBe(200);
  await made.clock.advance(60_000);
  // A right password between the codes starts no new count.
  const bad = code() === '000000' ? '000001' : '000000';
  const login = (twoFactorCode: string) => made.send('/apollo/login', { body: { email, password, twoFactorCode }, cookie: device });
  for (let turn = 0; turn < 5; turn += 1) expect((await login(bad)).json['detail']).toBe('Failed');
  expect((await login(code())).json['detail']).toBe('LockedOut');
});

test('nobody makes up a known device, borrows one from another address or keeps one for more than 400 days', async () => {
  const made = await app();
  const [one, other] = [await known(made), await known(made)];
  await one.lock();
  const changed = one.device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const cookie of [changed, other.device, 'holdfast-device=x', `holdfast-device=${'a.b.c.d~'.repeat(500)}`]) {
    expect((await one.guess(password, cookie)).status).toBe(401);
  }
  expect((await one.guess(password, one.device)).status).toBe(200);
  await made.clock.advance(400 * 86_400_000);
  await one.lock();
  expect((await one.guess(password, one.device)).status).toBe(401);
});

test('one browser is known for the last five addresses that signed in with it', async () => {
  const made = await app();
  let cookie: string | undefined;
  const people: Awaited<ReturnType<typeof known>>[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const person = await known(made);
    people.push(person);
    cookie = deviceIn((await person.guess(password, cookie)).cookies);
  }
  const statuses: number[] = [];
  for (const person of people) {
    await person.lock();
    statuses.push((await person.guess(password, cookie)).status);
  }
  expect(statuses).toEqual([401, 200, 200, 200, 200, 200]);
});

test('a program that signs in with a bearer token gets no cookie', async () => {
  const made = await app();
  const email = await owner(made);
  expect((await made.send('/apollo/login', { body: { email, password } })).cookies).toEqual([]);
});
