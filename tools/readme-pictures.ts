/**
 * `npm run pictures`: the pictures of the README, taken from the product as `npm start` shows it on its first start: the
 * sign-in, the job monitor while the first backups run, the overview after them, and a message on its way back. They lie
 * in `docs/pictures`; whoever changes what they show makes them again.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { createApi } from './api-client.ts';
import { buildPortal } from './build-portal.ts';
import { launchChromium } from './chromium.ts';
import { demoOwner, setUpDemo } from './demo.ts';
import { takeGuide } from './manual-pictures.ts';
import { startProduct } from './product.ts';
import { root } from './run.ts';

const folder = path.join(root, 'docs/pictures');

interface Listed<Item> {
  readonly items: readonly Item[];
}

const take = async (page: Page, name: string): Promise<void> => {
  // What was pointed at and its hint are not part of the page; words that came late get their place.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(2_500);
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
};

async function whenBackedUp(address: string): Promise<void> {
  const api = await createApi(address, demoOwner);
  const tenants = await api.get<Listed<{ readonly tenantId: string }>>('/apollo/api/Tenants');
  for (;;) {
    const runs = await api.get<Listed<{ readonly status: string }>>(`/apollo/api/${tenants.items[0]?.tenantId ?? ''}/monitoring?limit=20`);
    if (runs.items.length > 0 && runs.items.every(({ status }) => !['pending', 'running'].includes(status))) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function takeSignIn(page: Page): Promise<void> {
  await page.goto('/signin');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(demoOwner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(demoOwner.password);
  await take(page, 'sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
}

async function takeMonitor(page: Page): Promise<void> {
  await page.goto('/backup-and-restore/job-monitor');
  await page.getByRole('progressbar').first().waitFor();
  await take(page, 'job-monitor');
}

async function takeOverview(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Protection of the last 30 days' }).waitFor();
  await take(page, 'overview');
}

async function takeRestore(page: Page): Promise<void> {
  await page.goto('/backup-and-restore/restore');
  await page.getByRole('row').filter({ hasText: 'Mailbox' }).getByRole('button').first().click();
  await page.getByRole('button', { name: /^Open (Inbox|Posteingang)$/ }).click();
  await page.getByRole('row').filter({ hasText: 'Message' }).first().getByRole('checkbox').click();
  await take(page, 'restore');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  await take(page, 'restore-summary');
}

await buildPortal();
await mkdir(folder, { recursive: true });
const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-pictures-'));
const product = await startProduct({ dataDir, port: '0', withSimulator: true, onOutput: () => undefined });
const browser = await launchChromium();
try {
  const tenant = product.simulator?.tenants[0];
  if (!tenant) throw new Error('The simulator has no tenant.');
  const context = await browser.newContext({
    baseURL: product.address,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  const page = await context.newPage();
  const settingUp = setUpDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  await takeSignIn(page);
  await settingUp;
  await takeMonitor(page);
  await whenBackedUp(product.address);
  await takeOverview(page);
  await takeRestore(page);
  await takeGuide(browser, product, dataDir);
} finally {
  await browser.close();
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`The pictures are in ${path.relative(root, folder)}.`);
