import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../tools/product.ts';
import { expectNoFaults, useBrowser, visit } from './support/browser.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { box, button, fillIn, give, headed, isHome, look, phrases, second, type Text } from './support/people.ts';

useBrowser();

const owner = { email: 'owner@contoso.example', password: 'Every-Mail-Has-6-Digits!' };
let dataDir: string;
let post: MailServer;
let product: Product;

/** A product that asks everybody for a second factor, and mails a code to who has no app. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-codes-'));
  post = await startMailServer();
  product = await startProduct({
    dataDir,
    port: '0',
    withSimulator: false,
    onOutput: () => undefined,
    environment: {
      HOLDFAST_LOG_LEVEL: 'info',
      HOLDFAST_SMTP_URL: post.url,
      HOLDFAST_SECOND_FACTOR: 'required',
      HOLDFAST_OWNER_EMAIL: owner.email,
      HOLDFAST_OWNER_PASSWORD: owner.password,
    },
  });
});
afterAll(async () => {
  await product.stop();
  await post.close();
  await rm(dataDir, { recursive: true, force: true });
});

const codes = (): string[] => post.mails.flatMap((mail) => /^Subject:.*?(\d{6})/m.exec(mail)?.[1] ?? []);

/** The code of the mail that comes after so many others. */
async function codeAfter(count: number): Promise<string> {
  await expect.poll(() => codes().length, { timeout: 30_000, interval: 100 }).toBe(count + 1);
  return codes()[count] ?? '';
}

/** The way to a new password, out of the newest mail that has one; long lines of a mail are broken. */
async function resetLink(): Promise<string> {
  const find = (): string =>
    post.mails.flatMap((mail) => /\/reset-password\/[\w-]+/.exec(mail.replaceAll('=\n', ''))?.[0] ?? []).at(-1) ?? '';
  await expect.poll(find, { timeout: 30_000, interval: 100 }).not.toBe('');
  return find();
}

async function tryCode(page: Page, text: Text, code: string): Promise<void> {
  await box(page, text.signIn.code).fill(code);
  await button(page, text.signIn.verify).click();
}

const refusal = (page: Page, text: Text, attempts: number) =>
  page.getByText(text.errors['identity.invalid-code'].replace('{{count}}', String(attempts))).first();

test('a forgotten password is reset by mail; who has no app gets six digits; a wrong code is counted, a new one voids the old', async () => {
  const text = phrases.en;
  const visitor = await visit({ address: product.address });
  const { page } = visitor;
  await page.goto('/forgot-password');
  await box(page, text.common.email).fill(owner.email);
  await button(page, text.signIn.sendLink).click();
  await page.getByText(text.signIn.linkSent).waitFor();
  await page.goto(await resetLink());
  await fillIn(page, { [text.signIn.newPassword]: second, [text.signIn.repeatPassword]: second });
  await button(page, text.signIn.resetSave).click();
  await page.waitForURL('**/signin');
  await give(page, text, owner.email, owner.password);
  await page.getByText(text.errors['identity.invalid-credentials']).first().waitFor();
  await give(page, text, owner.email, second);
  await headed(page, text.signIn.codeTitle).waitFor();
  await page.getByText(text.signIn.codeMailLead).waitFor();
  const old = await codeAfter(0);
  await tryCode(page, text, old === '000000' ? '000001' : '000000');
  await refusal(page, text, 1).waitFor();
  await look(visitor, 'mailed-code-en');
  await button(page, text.signIn.sendAgain).click();
  const fresh = await codeAfter(1);
  expect(fresh).not.toBe(old);
  await tryCode(page, text, old);
  await refusal(page, text, 2).waitFor();
  await tryCode(page, text, fresh);
  await page.waitForURL(isHome);
  expectNoFaults(visitor, [/status of 40[01]/]);
});

test('in German too: after five wrong codes the right one opens nothing either, and one signs in anew', async () => {
  const text = phrases.de;
  const before = codes().length;
  const visitor = await visit({ address: product.address, language: 'de' });
  const { page } = visitor;
  await page.goto('/signin');
  await give(page, text, owner.email, second);
  await headed(page, text.signIn.codeTitle).waitFor();
  const right = await codeAfter(before);
  for (const attempt of [1, 2, 3, 4, 5]) {
    await tryCode(page, text, right === '000000' ? '000001' : '000000');
    await refusal(page, text, attempt).waitFor();
  }
  await look(visitor, 'mailed-code-de');
  await tryCode(page, text, right);
  await page.getByText(text.errors['identity.verification-failed']).first().waitFor();
  await headed(page, text.signIn.title).waitFor();
  expectNoFaults(visitor, [/status of 40[01]/]);
});
