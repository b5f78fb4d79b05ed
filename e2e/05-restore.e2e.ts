import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { demoOwner } from '../tools/demo.ts';
import { accessibilityFaults, expectNoFaults, takePicture, useBrowser, visit } from './support/browser.ts';

useBrowser();

interface Listed<Item> {
  readonly items: readonly Item[];
}

beforeAll(async () => {
  // The demo has started the first backup of mail: there is nothing to restore before it has ended.
  const api = await createApi(inject('productAddress'), demoOwner);
  const tenants = await api.get<Listed<{ tenantId: string }>>('/apollo/api/Tenants');
  const path = `/apollo/api/${tenants.items[0]?.tenantId ?? ''}/monitoring?workload=exchange&type=backup&limit=1`;
  for (;;) {
    const runs = await api.get<Listed<{ status: string }>>(path);
    if (!['pending', 'running'].includes(runs.items[0]?.status ?? 'pending')) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
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
  await page.goto('/signin');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(demoOwner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(demoOwner.password);
}

const firstMailbox = (page: Page): Locator => page.getByRole('row').filter({ hasText: 'Mailbox' }).getByRole('button').first();

test('from the sign-in to one restored message it takes at most seven clicks', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const hand = createHand();
  await typeCredentials(page);
  await hand.click(page.getByRole('button', { name: 'Sign in', exact: true }));
  await hand.click(page.getByRole('link', { name: 'Restore', exact: true }));
  await hand.click(firstMailbox(page));
  await hand.click(page.getByRole('row').filter({ hasText: 'Message' }).first().getByRole('checkbox'));
  await takePicture(page, 'restore-items');
  await hand.click(page.getByRole('button', { name: 'Next' }));
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  await takePicture(page, 'restore-target');
  await hand.click(page.getByRole('button', { name: 'Restore', exact: true }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Restore' }));
  await page.getByText('Successful', { exact: true }).first().waitFor({ timeout: 120_000 });
  await takePicture(page, 'restore-report');
  expect(hand.clicks()).toBeLessThanOrEqual(7);
  expect(await accessibilityFaults(page)).toEqual([]);
  expectNoFaults(visitor);
});

test('a mail is previewed only after a reason was given', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await typeCredentials(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Restore', exact: true }).click();
  await firstMailbox(page).click();
  await page
    .getByRole('button', { name: /^Preview / })
    .first()
    .click();
  const pane = page.getByRole('region', { name: 'Reading pane' });
  await pane.getByRole('button', { name: 'Open', exact: true }).click();
  await pane.getByText('Please enter a reason.').first().waitFor();
  await pane.getByLabel('Reason').fill('Asked for by its owner');
  await pane.getByRole('button', { name: 'Open', exact: true }).click();
  await pane.getByText('To', { exact: true }).waitFor();
  await takePicture(page, 'preview');
  expect(await accessibilityFaults(page)).toEqual([]);
  // The reason holds for the mailbox: the next message is one key away.
  const first = await pane.textContent();
  await page.getByRole('grid', { name: 'Contents' }).getByRole('row').nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => await pane.textContent()).not.toBe(first);
  await pane.getByRole('button', { name: 'Headers and source' }).click();
  await pane.getByText(/^(From|Subject|Date|Message-ID|MIME-Version|Received|To): /m).waitFor();
  expectNoFaults(visitor);
});
