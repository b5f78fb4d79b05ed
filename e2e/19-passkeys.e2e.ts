import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@holdfast/foundation/free-port';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { startProduct, type Product } from '../tools/product.ts';
import { expectNoFaults, useBrowser, visit } from './support/browser.ts';
import { box, button, give, headed, look, lookInBoth, phrases, signOut, type Text } from './support/people.ts';
import { virtualAuthenticator, type Kept } from './support/virtual-authenticator.ts';

useBrowser();

const owner = { email: 'owner@contoso.example', password: 'Every-Device-Has-1-Key!' };
let dataDir: string;
let product: Product;
let address: string;
/** What the journey in English leaves to the one in German. */
let onLaptop: Kept;
let codes: string[];

/** Browsers allow passkeys at a name alone, and without TLS at this one. Everybody is asked for a second factor. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-passkeys-'));
  // The public address has to be known before the product runs.
  const port = await freePort();
  address = `http://localhost:${port}`;
  product = await startProduct({
    dataDir,
    port: String(port),
    withSimulator: false,
    onOutput: () => undefined,
    environment: {
      HOLDFAST_PUBLIC_URL: address,
      HOLDFAST_SECOND_FACTOR: 'required',
      HOLDFAST_OWNER_EMAIL: owner.email,
      HOLDFAST_OWNER_PASSWORD: owner.password,
    },
  });
});
afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function fillDialog(page: Page, text: Text, { name, proof }: { name: string; proof: string }): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await box(dialog, text.common.name).fill(name);
  await box(dialog, text.profile.passwordOrCode).fill(proof);
  await button(dialog, text.profile.addPasskeyButton).click();
  return dialog;
}

const rows = (page: Page, text: Text): Locator => page.getByRole('table', { name: text.profile.passkeys }).getByRole('row');

test('who has to set up a second factor adds a passkey, signs in with it alone and after the password', async () => {
  const text = phrases.en;
  const visitor = await visit({ address });
  const { page } = visitor;
  await page.goto('/signin');
  const laptop = await virtualAuthenticator(page);
  await lookInBoth(visitor, 'passkey-sign-in', 'en');
  await give(page, text, owner.email, owner.password);
  await page.getByText(text.profile.required).waitFor();
  await button(page, text.profile.addPasskey).click();
  const dialog = await fillDialog(page, text, { name: 'Laptop', proof: 'not-this-one-1!' });
  await dialog.getByText(text.rules.passwordWrong).waitFor();
  await look(visitor, 'passkey-add-en');
  await laptop.ready(false);
  await fillDialog(page, text, { name: 'Laptop', proof: owner.password });
  await dialog.getByText(text.signIn.passkeyDismissed).waitFor();
  await laptop.ready();
  await button(dialog, text.profile.addPasskeyButton).click();
  const list = page.getByRole('list', { name: text.profile.codesTitle }).getByRole('listitem');
  await list.nth(9).waitFor();
  codes = await list.allInnerTexts();
  await rows(page, text).getByText('Laptop').first().waitFor();
  await lookInBoth(visitor, 'passkey-codes', 'en');
  await button(page, text.profile.codesDone).click();
  await list.first().waitFor({ state: 'detached' });

  await signOut(page, text);
  await laptop.ready(false);
  await button(page, text.signIn.passkey).click();
  await page.getByText(text.signIn.passkeyDismissed).first().waitFor();
  await laptop.ready();
  await button(page, text.signIn.passkey).click();
  await page.waitForURL((url) => url.pathname !== '/signin');

  await signOut(page, text);
  await give(page, text, owner.email, owner.password);
  await headed(page, text.signIn.factorTitle).waitFor();
  await page.getByText(text.signIn.passkeyLead).waitFor();
  await lookInBoth(visitor, 'passkey-step', 'en');
  await laptop.ready();
  await button(page, text.signIn.passkeyUse).click();
  await page.waitForURL((url) => !['/signin', '/verify-code'].includes(url.pathname));

  await page.goto('/account/profile');
  await button(page, text.profile.removePasskey).click();
  const question = page.getByRole('dialog');
  await box(question, text.profile.passwordOrCode).fill(owner.password);
  await button(question, text.profile.removePasskey).click();
  await question.getByText(text.errors['passkeys.last-way-in']).waitFor();
  await look(visitor, 'passkey-last-en');
  onLaptop = laptop.passkeys();
  expectNoFaults(visitor, [/status of 40[0139]/]);
});

test('in German too: a recovery code stands in for a lost device, whose passkey is replaced and no longer opens anything', async () => {
  const text = phrases.de;
  const visitor = await visit({ address, language: 'de', theme: 'dark' });
  const { page } = visitor;
  await page.goto('/signin');
  await give(page, text, owner.email, owner.password);
  await headed(page, text.signIn.factorTitle).waitFor();
  await box(page, text.signIn.code).fill(codes[0] ?? '');
  await button(page, text.signIn.verify).click();
  await page.waitForURL((url) => !['/signin', '/verify-code'].includes(url.pathname));
  await page.goto('/account/profile');
  const phone = await virtualAuthenticator(page);
  await button(page, text.profile.addPasskey).click();
  await fillDialog(page, text, { name: 'Handy', proof: owner.password });
  await page.getByText(text.successes.passkeyAdded).first().waitFor();
  await look(visitor, 'passkey-list-de');
  await button(rows(page, text).filter({ hasText: 'Laptop' }), text.profile.removePasskey).click();
  const question = page.getByRole('dialog');
  await question.getByText(text.confirmations.passkeyTitle.replace('{{name}}', 'Laptop')).first().waitFor();
  await box(question, text.profile.passwordOrCode).fill(owner.password);
  await look(visitor, 'passkey-remove-de');
  await button(question, text.profile.removePasskey).click();
  await page.getByText(text.successes.passkeyRemoved).first().waitFor();

  const other = await visit({ address, language: 'de' });
  await other.page.goto('/signin');
  await virtualAuthenticator(other.page, onLaptop);
  await button(other.page, text.signIn.passkey).click();
  await other.page.getByText(text.errors['passkeys.refused']).first().waitFor();
  const third = await visit({ address, language: 'de' });
  await third.page.goto('/signin');
  await virtualAuthenticator(third.page, phone.passkeys());
  await button(third.page, text.signIn.passkey).click();
  await third.page.waitForURL((url) => url.pathname !== '/signin');
  for (const one of [visitor, other, third]) expectNoFaults(one, [/status of 40[01]/]);
});
