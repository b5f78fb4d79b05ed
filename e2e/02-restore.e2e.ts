import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';

let product: Product;
let browser: Browser;

interface Listed<Item> {
  readonly items: readonly Item[];
}

/** Waits until the first backup of mail, which the demo starts, has ended. */
async function firstMailBackup(): Promise<string> {
  const api = await createApi(product.address, product);
  const tenants = await api.get<Listed<{ tenantId: string }>>('/apollo/api/Tenants');
  const tenantId = tenants.items[0]?.tenantId ?? '';
  for (;;) {
    const runs = await api.get<Listed<{ status: string }>>(`/apollo/api/${tenantId}/monitoring?workload=exchange&limit=1`);
    const status = runs.items[0]?.status ?? 'pending';
    if (!['pending', 'running'].includes(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
  expect(await firstMailBackup()).toBe('successful');
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

/** Counts what a person would click. */
function createHand(): { readonly click: (target: Locator) => Promise<void>; readonly clicks: () => number } {
  let count = 0;
  return {
    clicks: () => count,
    async click(target) {
      count += 1;
      await target.click();
    },
  };
}

async function typeCredentials(page: Page): Promise<void> {
  await page.goto(`${product.address}/signin`);
  await page.fill('input[name="email"]', product.email);
  await page.fill('input[name="password"]', product.password);
}

test('from the sign-in to one restored message it takes at most eight clicks', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  const hand = createHand();
  await typeCredentials(page);
  await hand.click(page.getByRole('button', { name: 'Sign in', exact: true }));
  await hand.click(page.getByRole('link', { name: 'Restore', exact: true }));
  await hand.click(page.getByRole('row').filter({ hasText: 'Mailbox' }).getByRole('button').first());
  await hand.click(page.getByRole('button', { name: /^Open (Inbox|Posteingang)$/ }));
  await hand.click(page.getByRole('row').filter({ hasText: 'Message' }).first().getByRole('checkbox'));
  await hand.click(page.getByRole('button', { name: 'Next' }));
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  await hand.click(page.getByRole('button', { name: 'Restore', exact: true }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Restore' }));
  await page.getByText('Successful', { exact: true }).first().waitFor({ timeout: 120_000 });
  expect(hand.clicks()).toBeLessThanOrEqual(8);
  expect(await watched.findings()).toEqual([]);
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

test('a mail is previewed only after a reason, in a frame that can do nothing', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await typeCredentials(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Restore', exact: true }).click();
  await page.getByRole('row').filter({ hasText: 'Mailbox' }).getByRole('button').first().click();
  await page.getByRole('button', { name: /^Open (Inbox|Posteingang)$/ }).click();
  await page
    .getByRole('button', { name: /^Preview / })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await dialog.getByText('Please enter a reason.').first().waitFor();
  await dialog.getByLabel('Reason').fill('Asked for by its owner');
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await dialog.getByText('From', { exact: true }).waitFor();
  const frame = dialog.locator('iframe');
  if ((await frame.count()) > 0) expect(await frame.getAttribute('sandbox')).not.toContain('allow-scripts');
  expect(watched.complaints).toEqual([]);
  await watched.close();
});
