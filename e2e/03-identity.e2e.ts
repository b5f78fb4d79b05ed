import { en } from '@holdfast/phrases/en';
import { expect, inject, test } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { demoOwner } from '../tools/demo.ts';
import { codeOf } from './support/authenticator.ts';
import { expectNoFaults, settle, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import {
  box,
  button,
  fillIn,
  first,
  give,
  headed,
  isHome,
  linkFor,
  look,
  lookInBoth,
  phrases,
  register,
  second,
  signOut,
} from './support/people.ts';

useBrowser();

test('somebody invited registers, sets up a second factor, and signs in with it', async () => {
  const language = 'en';
  const text = phrases[language];
  const email = 'ada@contoso.example';
  const visitor = await visit({ language });
  const { page } = visitor;
  await register(page, text, email);
  await give(page, text, email, first);
  await page.waitForURL(isHome);

  await page.goto('/account/profile');
  await button(page, text.profile.setUp).click();
  const card = page.getByRole('form', { name: text.profile.setUp });
  await card.getByRole('img', { name: text.profile.qr }).waitFor();
  const key = await card.locator('code').innerText();
  await box(card, text.profile.code).fill(codeOf(key, 40));
  await button(card, text.profile.turnOn).click();
  await card.getByText(text.rules.invalidTwoFactorCode).waitFor();
  await lookInBoth(visitor, 'identity-two-factor', language);
  await box(card, text.profile.code).fill(codeOf(key));
  await button(card, text.profile.turnOn).click();
  const list = page.getByRole('list', { name: text.profile.codesTitle }).getByRole('listitem');
  await list.nth(9).waitFor();
  const codes = await list.allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await button(page, text.profile.codesDone).click();

  // Another browser signs in with a recovery code, and is ended from here.
  const other = await visit({ language });
  await other.page.goto('/signin');
  await give(other.page, text, email, first);
  await headed(other.page, text.signIn.codeTitle).waitFor();
  await box(other.page, text.signIn.code).fill(codes[0] ?? '');
  await button(other.page, text.signIn.verify).click();
  await other.page.waitForURL(isHome);
  await page.reload();
  const devices = page.getByRole('table', { name: text.profile.sessions });
  await devices.getByRole('button', { name: text.profile.endSession }).first().click();
  await button(page.getByRole('dialog'), text.confirmations.endButton).click();
  await expect.poll(async () => await devices.getByRole('row').count(), { timeout: 15_000 }).toBe(2);
  await other.page.reload();
  await other.page.waitForURL('**/signin');

  await signOut(page, text);
  await page.getByText(text.signIn.signedOut).waitFor();
  await give(page, text, email, first);
  await headed(page, text.signIn.codeTitle).waitFor();
  await box(page, text.signIn.code).fill(codeOf(key, 40));
  await button(page, text.signIn.verify).click();
  await page.getByText(text.signIn.codeAttempts_one.replace('{{count}}', '1')).waitFor();
  await lookInBoth(visitor, 'identity-code', language);
  await box(page, text.signIn.code).fill(codeOf(key, 1));
  await button(page, text.signIn.verify).click();
  await page.waitForURL(isHome);
  expectNoFaults(visitor, [/status of 400/]);
});

test('a forgotten password is reset by mail, and password and address are changed', async () => {
  const language = 'de';
  const text = phrases[language];
  const email = 'bob@contoso.example';
  const visitor = await visit({ language });
  const { page } = visitor;
  await register(page, text, email);
  // The link was shown, not mailed: the address is not proved yet, and no link goes there before it is.
  await page.request.post('/apollo/resendConfirmationMail', { data: { email } });
  expect((await page.request.get(await linkFor(email, 'confirmEmail'))).status()).toBe(200);

  await page.getByRole('link', { name: text.signIn.forgotten }).click();
  await headed(page, text.signIn.forgottenTitle).waitFor();
  await box(page, text.common.email).fill(email);
  await button(page, text.signIn.sendLink).click();
  await page.getByText(text.signIn.linkSent).waitFor();
  await lookInBoth(visitor, 'identity-forgotten', language);
  const link = await linkFor(email, '/reset-password/');
  await page.goto(link);
  await fillIn(page, { [text.signIn.newPassword]: first, [text.signIn.repeatPassword]: second });
  await button(page, text.signIn.resetSave).click();
  await page.getByText(text.validation.passwordMismatch).waitFor();
  await lookInBoth(visitor, 'identity-reset', language);
  await fillIn(page, { [text.signIn.newPassword]: second });
  await button(page, text.signIn.resetSave).click();
  await page.waitForURL('**/signin');
  await page.goto(link);
  await fillIn(page, { [text.signIn.newPassword]: first, [text.signIn.repeatPassword]: first });
  await button(page, text.signIn.resetSave).click();
  await page.getByText(text.signIn.resetExpired).waitFor();
  await page.getByRole('link', { name: text.signIn.backToSignIn }).click();
  await give(page, text, email, first);
  await page.getByText(text.errors['identity.invalid-credentials']).first().waitFor();
  await give(page, text, email, second);
  await page.waitForURL(isHome);

  await page.goto('/account/profile');
  const password = page.getByRole('form', { name: text.profile.changePassword });
  await fillIn(password, {
    [text.profile.currentPassword]: 'not-this-one-1!',
    [text.signIn.newPassword]: first,
    [text.signIn.repeatPassword]: first,
  });
  await button(password, text.profile.changePassword).click();
  await password.getByText(text.rules.passwordWrong).waitFor();
  await box(password, text.profile.currentPassword).fill(second);
  await button(password, text.profile.changePassword).click();
  await page.getByText(text.successes.passwordChanged).first().waitFor();

  const address = page.getByRole('form', { name: text.profile.changeEmail });
  const changed = 'bob.new@contoso.example';
  await fillIn(address, { [text.profile.newEmail]: changed, [text.profile.currentPassword]: first });
  await button(address, text.profile.changeEmail).click();
  await page.getByText(text.profile.emailSent).first().waitFor();
  await lookInBoth(visitor, 'identity-profile', language);
  expect((await page.request.get(await linkFor(changed, 'confirmEmail'))).status()).toBe(200);
  // The sign-in that asked for it goes on; the old address opens nothing any more.
  await page.reload();
  await page.getByText(changed, { exact: true }).waitFor();
  await signOut(page, text);
  await give(page, text, email, first);
  await page.getByText(text.errors['identity.invalid-credentials']).first().waitFor();
  await give(page, text, changed, first);
  await page.waitForURL(isHome);
  const tab = await visitor.context.newPage();
  await Promise.all([tab.goto('/configuration/users'), page.goto('/account/profile')]);
  await headed(tab, text.shell.users).waitFor();
  await settle(visitor);
  await button(page, text.profile.endAll).click();
  await button(page.getByRole('dialog'), text.confirmations.endButton).click();
  for (const one of [page, tab]) await headed(one, text.signIn.signedOutTitle).waitFor();
  await lookInBoth(visitor, 'identity-signed-out', language);
  expectNoFaults(visitor, [/status of 40[01]/]);
});

test('who works for two customers chooses one before anything else', async () => {
  const email = 'cleo@contoso.example';
  const visitor = await visit();
  const { page } = visitor;
  await register(page, en, email, 'owner');
  const api = await createApi(inject('productAddress'), { email, password: first });
  await api.post('/apollo/api/organisations', { name: 'Fabrikam' });
  await give(page, en, email, first);
  await page.waitForURL('**/select-worker');
  await page.getByRole('heading', { level: 2, name: 'Fabrikam' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Contoso' }).waitFor();
  await lookInBoth(visitor, 'identity-select-worker', 'en');
  await page.goto('/backup-and-restore/backup-jobs');
  await page.waitForURL('**/select-worker');
  await page
    .getByRole('button', { name: /of Contoso$/ })
    .first()
    .click();
  await headed(page, en.shell.backupJobs).waitFor();
  expectNoFaults(visitor);
});

test('without a network the page says so, and goes on when it is back', async () => {
  const visitor = await visit({ language: 'de' });
  const { de } = phrases;
  const { page, context } = visitor;
  await signIn(visitor);
  await page.goto('/configuration/audit-log');
  await page.getByRole('table').first().waitFor();
  await settle(visitor);
  await context.setOffline(true);
  await page.getByLabel(de.audit.from, { exact: true }).fill('2020-01-01');
  await page.getByText(de.failures.network).first().waitFor();
  const again = button(page, de.common.retry).first();
  await again.waitFor();
  await look(visitor, 'identity-offline-de');
  await context.setOffline(false);
  await again.click();
  await page.getByRole('cell', { name: demoOwner.email }).first().waitFor();
  expectNoFaults(visitor, [/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/]);
});

test('without a click for a quarter of an hour a warning stands, then nobody is signed in, in any tab', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await page.clock.install();
  await signIn(visitor);
  await page.goto('/');
  await headed(page, en.shell.overview).waitFor();
  await settle(visitor);
  // A click on nothing: what lies elsewhere moves while the first backups run.
  const nothing = page.getByRole('heading', { level: 1 });
  await nothing.click();
  // Written down as it appears: the toast closes by itself after five seconds, and a busy machine may not look before.
  await page.evaluate(`globalThis.told = []; new MutationObserver(() => {
    for (const one of document.querySelectorAll('.Toastify__toast')) {
      const { color, backgroundColor } = getComputedStyle(one);
      const close = getComputedStyle(one.querySelector('button')).color;
      globalThis.told.push([one.textContent.replace('×', ''), color, backgroundColor, close].join(' '));
    }
  }).observe(document.body, { childList: true, subtree: true })`);
  await page.clock.fastForward(871_000);
  const dark = 'rgb(36, 36, 36)';
  const white = 'rgb(255, 255, 255)';
  await expect
    .poll(async () => await page.evaluate('told'), { timeout: 20_000 })
    .toContain(`${en.shell.inactivityWarning} ${dark} ${white} ${dark}`);
  await page.getByRole('timer').waitFor();
  await nothing.click();
  await page.getByRole('timer').waitFor({ state: 'detached' });
  await page.clock.fastForward(600_000);
  const other = await visitor.context.newPage();
  await other.goto('/configuration/users');
  await headed(other, en.shell.users).waitFor();
  await settle(visitor);
  await page.clock.fastForward(901_000);
  for (const tab of [page, other]) {
    await tab.waitForURL('**/signin');
    await tab.getByText(en.signIn.inactive).waitFor();
  }
  expectNoFaults(visitor);
});

test('a token that the server does not take any more is renewed once, and the page shows what it asked for', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/');
  await headed(page, en.shell.overview).waitFor();
  await settle(visitor);
  let spoilt = 0;
  let renewals = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/apollo/refresh')) renewals += 1;
  });
  await page.route('**/apollo/api/**', async (route) => {
    const headers = route.request().headers();
    if (renewals > 0 || headers['authorization'] === undefined) return route.continue();
    spoilt += 1;
    return route.continue({ headers: { ...headers, authorization: 'Bearer hf_ma_has-expired' } });
  });
  await button(page, en.shell.openGroup.replace('{{name}}', en.shell.groupConfiguration)).click();
  await page.getByRole('link', { name: en.shell.users }).click();
  await page.getByRole('cell', { name: demoOwner.email }).first().waitFor();
  expect(spoilt).toBeGreaterThan(0);
  expect(renewals).toBe(1);
  expectNoFaults(visitor, [/status of 401/]);
});

test.each(['en', 'de'] as const)('permissions are shown by group, the log is filtered, proved and exported, in %s', async (language) => {
  const text = phrases[language];
  const visitor = await visit({ language });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/configuration');
  await button(page, text.configuration.test).click();
  await page.getByText(text.configuration.mail, { exact: true }).first().waitFor();
  await settle(visitor);
  await page.goto('/configuration/audit-log');
  await page.getByRole('table').first().waitFor();
  await page.getByLabel(text.audit.from, { exact: true }).fill('2030-01-01');
  await page.getByText(text.audit.empty).waitFor();
  await page.getByLabel(text.audit.from, { exact: true }).fill('2020-01-01');
  await page.getByRole('cell', { name: demoOwner.email }).first().waitFor();
  await button(page, text.audit.verify).click();
  await page.getByText(text.audit.verified.split('.')[0] ?? '').waitFor();
  await settle(visitor);
  await look(visitor, `identity-audit-${language}`);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, text.audit.exportCsv).click()]);
  expect(download.suggestedFilename()).toBe('audit-log.csv');
  expectNoFaults(visitor);
});
