import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { demoOwner } from '../tools/demo.ts';
import {
  accessibilityFaults,
  expectNoFaults,
  settle,
  signIn,
  takePicture,
  useBrowser,
  visit,
  words,
  type Visitor,
} from './support/browser.ts';

useBrowser();

const phrases = { en, de } as const;
const first = 'Calm-River-Stones-12!';

/** Invites somebody as an owner does; without a mail server the link is shown once, and here used. */
async function invite(email: string, role = 'administrator'): Promise<string> {
  const owner = await createApi(inject('productAddress'), demoOwner);
  const { link } = await owner.post<{ link: string }>('/apollo/api/members', { email, role });
  return new URL(link).pathname;
}

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const headed = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function fillIn(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await box(page, name).fill(value);
}

async function give(page: Page, text: (typeof phrases)['en' | 'de'], email: string, password: string): Promise<void> {
  await fillIn(page, { [text.common.email]: email, [text.common.password]: password });
  await button(page, text.signIn.submit).click();
}

/** No fault on this screen, and a picture for those who look at the run. */
async function look(visitor: Visitor, name: string): Promise<void> {
  expect([name, await accessibilityFaults(visitor.page)]).toEqual([name, []]);
  await takePicture(visitor.page, `identity-${name}`);
}

test('who works for two customers chooses one before anything else', async () => {
  const email = 'cleo@contoso.example';
  const visitor = await visit();
  const { page } = visitor;
  await page.goto(await invite(email, 'owner'));
  await fillIn(page, { [en.signIn.newPassword]: first, [en.signIn.repeatPassword]: first });
  await button(page, en.signIn.resetSave).click();
  await page.waitForURL('**/signin');
  const api = await createApi(inject('productAddress'), { email, password: first });
  await api.post('/apollo/api/organisations', { name: 'Fabrikam' });
  await give(page, en, email, first);
  await page.waitForURL('**/select-worker');
  await page.getByRole('heading', { level: 2, name: 'Fabrikam' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'Contoso' }).waitFor();
  await look(visitor, 'select-worker');
  await page.goto('/backup-and-restore/backup-jobs');
  await page.waitForURL('**/select-worker');
  await page
    .getByRole('button', { name: /of Contoso$/ })
    .first()
    .click();
  await headed(page, en.shell.backupJobs).waitFor();
  expectNoFaults(visitor);
});

test('a token that the server does not take any more is renewed once, and the page shows what it asked for', async () => {
  const visitor = await visit();
  await signIn(visitor);
  await settle(visitor);
  const { page } = visitor;
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
  await page.getByRole('link', { name: en.shell.users }).click();
  await page.getByRole('cell', { name: demoOwner.email }).first().waitFor();
  expect(spoilt).toBeGreaterThan(0);
  expect(renewals).toBe(1);
  expectNoFaults(visitor, [/status of 401/]);
});

test.each(['en', 'de'] as const)('permissions are shown by group, the log is filtered, proved and exported, in %s', async (language) => {
  const text = phrases[language];
  const visitor = await visit({ language });
  await signIn(visitor, words[language]);
  const { page } = visitor;
  await page.goto('/configuration');
  await button(page, text.configuration.test).click();
  await page.getByText(text.configuration.mail, { exact: true }).first().waitFor();
  await settle(visitor);
  await page.goto('/configuration/audit-log');
  await page.getByRole('table').first().waitFor();
  await page.getByLabel(text.audit.from).fill('2030-01-01');
  await page.getByText(text.audit.empty).waitFor();
  await page.getByLabel(text.audit.from).fill('2020-01-01');
  await page.getByRole('cell', { name: demoOwner.email }).first().waitFor();
  await button(page, text.audit.verify).click();
  await page.getByText(text.audit.verified.split(':')[0] ?? '').waitFor();
  await settle(visitor);
  await look(visitor, `audit-${language}`);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, text.audit.exportCsv).click()]);
  expect(download.suggestedFilename()).toBe('audit-log.csv');
  expectNoFaults(visitor);
});
