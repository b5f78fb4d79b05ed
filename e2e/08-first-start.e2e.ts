import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAzureCliScript } from '../apps/server/src/testing/azure-cli.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { createJob, findUser, openOffice, startJob } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, takePicture, useBrowser, visit, type Visitor } from './support/browser.ts';

useBrowser();

const owner = { organisation: 'Contoso', email: 'owner@contoso.example', password: 'First-Start-2026!' };

let dataDir: string;
let product: Product;
let setUpAddress: string | undefined;

/** A product that nobody has set up yet, beside a Microsoft 365 that it does not know of. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-first-'));
  const nobody = ['OWNER_EMAIL', 'OWNER_PASSWORD', 'OWNER_ORGANISATION', 'DEMO_EMAIL', 'DEMO_PASSWORD'];
  product = await startProduct({
    dataDir,
    port: '0',
    withSimulator: true,
    onOutput: (line) => (setUpAddress ??= /https?:\/\/\S+\/signin#setup=[\w-]+/.exec(line)?.[0]),
    environment: { HOLDFAST_LOG_LEVEL: 'info', ...Object.fromEntries(nobody.map((name) => [`HOLDFAST_${name}`, undefined])) },
  });
});

afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const next = (page: Page): Promise<void> => page.getByRole('button', { name: 'Next' }).click();

async function signInAsOwner({ page }: Visitor): Promise<void> {
  await page.goto('/signin');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(owner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
}

/** With the assistant: the script is run as somebody would in the Azure portal, and its two identifiers are entered. */
async function connectTenant(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect tenant' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Connect Microsoft 365' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await next(page);
  const script = await page.getByRole('region', { name: 'Azure CLI' }).innerText();
  expect(await accessibilityFaults(page)).toEqual([]);
  if (!product.simulator) throw new Error('There is no simulator.');
  const { code, output } = await runAzureCliScript(product.simulator, dataDir, script);
  expect([code, output]).toEqual([0, expect.stringContaining('Application (client) ID')]);
  const [tenantId = '', clientId = ''] = output.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  await next(page);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Contoso');
  await page.getByRole('textbox', { name: 'Directory (tenant) ID' }).fill(tenantId);
  await page.getByRole('textbox', { name: 'Application (client) ID' }).fill(clientId);
  await page.getByText('22 of 22 permissions granted').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, 'connect-microsoft-365');
  await page.getByRole('button', { name: 'Connect tenant' }).click();
  await page.getByText('Tenant created.').waitFor();
}

async function provision(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Provision' }).click();
  await page.getByRole('dialog').getByText('Provisioned', { exact: true }).first().waitFor({ timeout: 60_000 });
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}

async function addLocation(page: Page): Promise<void> {
  await page.goto('/configuration/locations/new');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Vault on this machine');
  await drawer.getByRole('textbox', { name: 'Folder' }).fill(path.join(dataDir, 'vaults', 'first'));
  await drawer.getByRole('button', { name: 'Add location' }).click();
  await page.getByText('Location created.').waitFor();
}

async function chooseLocation(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Location' }).click();
  await page.getByRole('option', { name: 'Vault on this machine' }).click();
}

test('the first owner is led from the printed address to the first backup in the monitor', async () => {
  const visitor = await visit({ address: product.address });
  const { page } = visitor;
  expect(setUpAddress).toBeDefined();
  const { pathname, hash } = new URL(setUpAddress ?? product.address);
  await page.goto(`${pathname}${hash}`);
  await page.getByRole('heading', { level: 1, name: 'Welcome to Holdfast' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Organisation' }).fill(owner.organisation);
  await page.getByRole('textbox', { name: 'E-mail' }).fill(owner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.getByRole('button', { name: 'Create and sign in' }).click();
  await page.getByText('Connect Microsoft 365 in three steps').waitFor();
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, 'first-start');
  await page.getByRole('button', { name: 'Pages of Configuration' }).click();
  await page.getByRole('link', { name: 'Tenants and locations' }).click();
  await connectTenant(page);
  await provision(page);
  await addLocation(page);
  await page.goto('/backup-and-restore/backup-jobs/new');
  await page.getByRole('textbox', { name: 'Job name' }).fill('First backup');
  await next(page);
  await page.getByRole('radio', { name: 'Only those chosen here' }).click();
  await page.getByRole('searchbox').fill('Grace');
  await page.getByRole('checkbox', { name: /Grace Harris/ }).click();
  await next(page);
  await chooseLocation(page);
  await next(page);
  await page.getByRole('radio', { name: 'Start after creation' }).click();
  await next(page);
  await page.getByText('Protects 1 user.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Create job' }).click();
  await page.getByRole('link', { name: 'Activity' }).click();
  const row = page.getByRole('row').filter({ hasText: 'First backup' });
  await row.getByText('Successful').waitFor({ timeout: 60_000 });
  await takePicture(page, 'first-backup');
  expectNoFaults(visitor);
});

/** What each way to plan a job wants to be told, how it complains, and what the summary then says. */
const plans: readonly {
  readonly mode: string;
  readonly wants?: string;
  readonly enter?: (page: Page) => Promise<void>;
  readonly summary: RegExp;
}[] = [
  { mode: 'Start after creation', summary: /Start after creation/ },
  {
    mode: 'Daily',
    wants: 'The time must be HH:MM.',
    enter: (page) => page.getByRole('textbox', { name: 'Time' }).fill('07:45'),
    summary: /Daily at 07:45/,
  },
  {
    mode: 'Weekly',
    wants: 'Please select at least one day.',
    async enter(page) {
      await page.getByRole('checkbox', { name: 'Monday' }).click();
      await page.getByRole('checkbox', { name: 'Thursday' }).click();
    },
    summary: /Monday.+Thursday at 07:45/,
  },
  {
    mode: 'On a specific date',
    wants: 'Please enter a date.',
    enter: (page) => page.getByRole('textbox', { name: 'Date' }).fill('2030-05-04'),
    summary: /0?4 May 2030 at 07:45/,
  },
  {
    mode: 'Every N minutes',
    wants: 'Enter a whole number from 1 to 1,440.',
    enter: (page) => page.getByRole('spinbutton', { name: 'Minutes' }).fill('90'),
    summary: /Every 90 minutes/,
  },
  { mode: 'Disabled', summary: /Disabled/ },
];

/** Empties what the mode asks for, so that it has something to complain about. */
async function empty(page: Page, mode: string): Promise<void> {
  if (mode === 'Daily') await page.getByRole('textbox', { name: 'Time' }).fill('7 o’clock');
  if (mode === 'Every N minutes') await page.getByRole('spinbutton', { name: 'Minutes' }).fill('2000');
}

test('every way to plan a job checks its entries and is told in the summary', async () => {
  const visitor = await visit({ address: product.address });
  const { page } = visitor;
  await signInAsOwner(visitor);
  await page.goto('/backup-and-restore/backup-jobs/new');
  await page.getByRole('textbox', { name: 'Job name' }).fill('abc');
  await next(page);
  await page.getByText('Minimum 4 characters').first().waitFor();
  await page.getByRole('textbox', { name: 'Job name' }).fill('Every plan');
  await next(page);
  await next(page);
  await chooseLocation(page);
  await next(page);
  for (const { mode, wants, enter, summary } of plans) {
    await page.getByRole('radio', { name: mode }).click();
    await empty(page, mode);
    if (wants !== undefined) {
      await next(page);
      await page.getByText(wants).first().waitFor();
    }
    await enter?.(page);
    await next(page);
    await page.getByText(summary).first().waitFor();
    await page.getByRole('button', { name: 'Edit: Schedule' }).click();
  }
  expect(await accessibilityFaults(page)).toEqual([]);
  expectNoFaults(visitor);
});

/** Presses a key until the focus is where it should be, as one does without a mouse. */
async function press(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  const focused = target.and(page.locator(':focus'));
  for (let left = 250; left > 0 && (await focused.count()) === 0; left -= 1) await page.keyboard.press(key);
  expect(await focused.count()).toBe(1);
}

test('a message is restored without the mouse', async () => {
  const visitor = await visit({ address: product.address });
  const { page } = visitor;
  await signInAsOwner(visitor);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await press(page, page.getByRole('link', { name: 'Restore', exact: true }).first());
  await page.keyboard.press('Enter');
  const location = page.getByRole('combobox', { name: 'Location' });
  await location.waitFor();
  await press(page, location);
  for (const key of ['Enter', 'End', 'Enter']) await page.keyboard.press(key);
  const source = page.getByRole('button', { name: 'Grace Harris', exact: true });
  await source.waitFor();
  await press(page, source);
  await page.keyboard.press('Enter');
  const contents = page.getByRole('grid', { name: 'Contents' });
  // A mailbox opens at its inbox; the first of the rows names the order.
  const message = contents.getByRole('row').filter({ hasText: 'Message' }).first();
  await message.waitFor();
  await press(page, message);
  await page.keyboard.press('Space');
  await press(page, page.getByRole('button', { name: 'Next' }));
  await page.keyboard.press('Enter');
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  await press(page, page.getByRole('radio', { name: 'Original place' }));
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('radio', { name: 'New folder' }).isChecked()).toBe(true);
  await press(page, page.getByRole('button', { name: 'Restore', exact: true }));
  await page.keyboard.press('Enter');
  const start = page.getByRole('dialog').getByRole('button', { name: 'Restore' });
  await start.waitFor();
  await press(page, start);
  await page.keyboard.press('Enter');
  await page.getByText('Successful', { exact: true }).first().waitFor({ timeout: 60_000 });
  expectNoFaults(visitor);
});

test('a restart of the server in the middle of a run is seen, waited for and gone on from', async () => {
  const office = await openOffice(product.address, owner);
  const names = ['Alice Edwards', 'Emil Huber', 'Zoe Fletcher', 'Jack Edwards'];
  const users = await Promise.all(names.map(async (name) => await findUser(office, name)));
  await createJob(office, { name: 'Four mailboxes', workload: 'exchange', users });
  const visitor = await visit({ address: product.address });
  const { page } = visitor;
  await signInAsOwner(visitor);
  const runId = await startJob(office, 'Four mailboxes');
  await page.goto(`/backup-and-restore/job-monitor/${runId}`);
  await page.getByText('Running').first().waitFor();
  const restarted = product.restart();
  const live = page.getByRole('status', { name: 'Live state' });
  await live.getByText('Reconnecting').waitFor();
  await takePicture(page, 'reconnecting');
  await restarted;
  await live.getByText('Connected', { exact: true }).waitFor();
  await page.getByRole('main').getByText('Successful').first().waitFor({ timeout: 90_000 });
  expectNoFaults(visitor, [/Failed to load resource/, /request failed/]);
});
