import { expect } from 'vitest';
import { totpCode } from '../totp.ts';
import type { IdentityApp, Received } from '../testing/identity-app.ts';
import { keyFromBase32, linkIn, resetCodeIn } from '../testing/reading.ts';
import { client, expectEmpty, expectInvalid, expectProblem, password, upstreamSuite } from '../testing/upstream-suite.ts';

/** Upstream’s cases C34 to C45: second factor, recovery, password and address. */
const { address, app, upstreamCase } = upstreamSuite(import.meta.url);

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
