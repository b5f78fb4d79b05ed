import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { demoOwner } from '../tools/demo.ts';
import { loseMail } from '../tools/lost-mail.ts';
import { endOfBackup, openOffice } from './support/backups.ts';
import { expectNoFaults, settle, useBrowser, visit, type Visitor } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { contoso, truthOf } from './support/ground-truth.ts';

useBrowser();

const grace = 'grace.harris@contoso.com';

beforeAll(async () => {
  await endOfBackup(await openOffice(), 'exchange');
});

/** The messages in an inbox, each by what mail servers know it by. */
async function inInbox(): Promise<readonly string[]> {
  const items = await truthOf('mail', grace);
  return items
    .flatMap(({ kind, path, metadata }) => (kind === 'message' && path === 'Inbox' ? [String(metadata['internetMessageId'])] : []))
    .toSorted();
}

const hasFocus = async (page: Page, target: Locator): Promise<boolean> => (await target.and(page.locator(':focus-visible')).count()) > 0;

/** Presses Tab until the focus, which can be seen, is where the reader wants it. */
async function tabTo({ page }: Visitor, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; !(await hasFocus(page, target)); presses += 1) {
    if (presses === 60) throw new Error(`The focus does not come to ${String(target)} by Tab.`);
    await page.keyboard.press('Tab');
  }
}

/** Whoever hears the page is somewhere in it, not back before its beginning. */
async function expectFocusIn({ page }: Visitor): Promise<void> {
  await expect.poll(async () => await page.evaluate<boolean>('document.querySelector("main").contains(document.activeElement)')).toBe(true);
}

const rows = (page: Page, subject: string): Locator =>
  page.getByRole('grid', { name: 'Contents' }).getByRole('row').filter({ hasText: subject });

async function signInByKeyboard(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.goto('/signin');
  await tabTo(visitor, page.getByRole('textbox', { name: 'E-mail' }));
  await page.keyboard.type(demoOwner.email);
  await tabTo(visitor, page.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(demoOwner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

test('a mail that was deleted for good comes back by the keyboard alone', async () => {
  const before = await inInbox();
  const { person, subject } = await loseMail(contoso());
  expect(await inInbox()).toHaveLength(before.length - 1);
  const visitor = await visit();
  const { page } = visitor;
  await signInByKeyboard(visitor);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Go to' }).waitFor();
  await page.keyboard.type('Restore');
  await page.getByRole('option', { name: /^Restore Page/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(visitor, page.getByRole('searchbox'));
  await page.keyboard.type(person);
  const mailbox = page.getByRole('row').filter({ hasText: person }).filter({ hasText: 'Mailbox' });
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await tabTo(visitor, mailbox.getByRole('button', { name: person, exact: true }));
  await page.keyboard.press('Enter');
  await rows(page, 'Message').first().waitFor();
  await expectFocusIn(visitor);
  await tabTo(visitor, page.getByRole('searchbox', { name: /^Search below/ }));
  await page.keyboard.type(subject);
  // The columns of what was found take the place of the list of mail.
  await page.getByRole('columnheader', { name: 'Name' }).waitFor();
  await rows(page, subject).first().waitFor();
  await tabTo(visitor, rows(page, subject).first());
  const alike = await rows(page, subject).count();
  for (let row = 0; row < alike; row += 1) {
    await expect.poll(async () => await hasFocus(page, rows(page, subject).nth(row))).toBe(true);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
  }
  await tabTo(visitor, page.getByRole('button', { name: 'Next', exact: true }).last());
  await page.keyboard.press('Enter');
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  await expectFocusIn(visitor);
  await tabTo(visitor, page.getByRole('button', { name: 'Restore', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(visitor, page.getByRole('dialog').getByRole('button', { name: 'Restore' }));
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('Successful', { exact: true }).first().waitFor({ timeout: 120_000 });
  await expectFocusIn(visitor);
  expect(await inInbox()).toEqual(before);
  expectNoFaults(visitor);
});

test('a download is written by the browser itself, to an address that holds no secret and is worth nothing afterwards', async () => {
  const visitor = await visit();
  const { page, context } = visitor;
  await signIn(visitor);
  await page.goto('/backup-and-restore/restore?search=Grace');
  await page.getByRole('row').filter({ hasText: 'Mailbox' }).getByRole('button', { name: 'Grace Harris', exact: true }).click();
  await page.getByRole('treeitem', { name: /^Archive/ }).click();
  await page
    .getByRole('button', { name: /^Preview / })
    .first()
    .click();
  const dialog = page.getByRole('region', { name: 'Reading pane' });
  await dialog.getByLabel('Reason').fill('Asked for by its owner');
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  const original = dialog.getByRole('button', { name: 'Download the original' });
  await original.waitFor();
  await settle(visitor);
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  const [download] = await Promise.all([page.waitForEvent('download'), original.click()]);
  const sha256 = createHash('sha256')
    .update(await readFile(await download.path()))
    .digest('hex');
  expect((await truthOf('mail', grace)).map((item) => item.sha256)).toContain(sha256);
  expect(download.url()).toMatch(/^http:\/\/.*\/apollo\/api\/.*\/file$/);
  expect(asked.filter((address) => /^blob:|hf_|token=/.test(address))).toEqual([]);
  expect((await context.request.get(download.url())).status()).toBe(401);
  expectNoFaults(visitor);
});
