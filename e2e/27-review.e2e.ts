import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDemo } from '../tools/demo.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { createJob, findUser, openOffice, runJob, type Office } from './support/backups.ts';
import { expectNoFaults, settle, takePicture, useBrowser, visit, type Language } from './support/browser.ts';
import { look, phrases } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

let dataDir: string;
let product: Product;
let caseId: string;

interface Listed<Item> {
  readonly items: readonly Item[];
}

/** A case about somebody whose mail is backed up and can be searched. */
async function aCase({ api, tenantId }: Office, name: string): Promise<string> {
  const at = `/apollo/api/${tenantId}/archive`;
  const isRead = async (): Promise<boolean> => {
    const body = { query: '', reason: 'Wait', limit: 1 };
    const { coverage } = await api.post<{ coverage: { items: number; searched: number } }>(`${at}/search`, body);
    return coverage.items > 0 && coverage.searched === coverage.items;
  };
  await expect.poll(isRead, { timeout: 60_000, interval: 300 }).toBe(true);
  const made = await api.post<{ caseId: string }>(`${at}/cases`, { matter: 'Falcon', reference: 'HR-17' });
  const people = await api.get<Listed<{ key: string; name: string }>>(`${at}/cases/${made.caseId}/people`);
  const key = people.items.find((one) => one.name === name)?.key;
  await api.post(`${at}/cases/${made.caseId}/custodians`, { keys: [key] });
  await api.post(`${at}/cases/${made.caseId}/queries`, { name: 'Mail', query: 'kind:email' });
  return made.caseId;
}

async function keepMail(office: Office, of: Awaited<ReturnType<typeof findUser>>): Promise<void> {
  await createJob(office, { name: 'Mail of one', workload: 'exchange', users: [of] });
  expect((await runJob(office, 'Mail of one')).status).toBe('successful');
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-review-'));
  product = await startProduct({
    dataDir,
    port: '0',
    withSimulator: true,
    onOutput: () => undefined,
    environment: { HOLDFAST_LOG_LEVEL: 'info', HOLDFAST_SECOND_FACTOR: 'optional' },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant) throw new Error('The simulator has no tenant.');
  await connectDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  const office = await openOffice(product.address);
  const custodian = await findUser(office, 'Grace Harris');
  await keepMail(office, custodian);
  caseId = await aCase(office, custodian.name);
});
afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Tab leads to a button or field, wherever it is, and Enter or typing goes on from there: no mouse. */
async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).last().focus();
  await page.keyboard.press(key);
}

async function walk(language: Language): Promise<void> {
  const { reviews: own, exports } = phrases[language];
  const visitor = await visit({ address: product.address, language, theme: language === 'en' ? 'light' : 'dark', width: 1440 });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto(`/ediscovery/portal/${caseId}/review`);
  await press(page, own.add);
  await page.getByRole('textbox', { name: own.name }).fill(`Falcon ${language}`);
  await page.getByRole('switch', { name: own.draw }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('spinbutton', { name: own.size }).fill('4');
  await page.getByRole('textbox', { name: own.seed }).fill('Falcon');
  await settle(visitor);
  await look(visitor, `review-set-form-${language}`);
  await press(page, own.add);
  await page.getByText(own.begin, { exact: true }).waitFor();
  const group = page.getByRole('group', { name: own.decision });
  await page.keyboard.press('j');
  await group.waitFor();
  for (const key of ['1', '2', '3']) {
    await settle(visitor);
    await page.keyboard.press(key);
  }
  await page.getByText(own.progress.replace('{{done}}', '3').replace('{{all}}', '4')).waitFor();
  await settle(visitor);
  await look(visitor, `review-${language}`);
  await page.keyboard.press('1');
  await page.getByText(own.finished).waitFor();
  await settle(visitor);
  await look(visitor, `review-finished-${language}`);
  await press(page, own.exportAs.replace('{{status}}', own.statuses.relevant));
  await press(page, exports.start);
  const download = exports.downloadOne.split('{{')[0] ?? '';
  await page.getByRole('button', { name: download }).first().waitFor();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await settle(visitor);
  await takePicture(page, `review-narrow-${language}`);
  await page.goto(`/ediscovery/portal/${caseId}/review`);
  await settle(visitor);
  await takePicture(page, `review-sets-narrow-${language}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await settle(visitor);
  await look(visitor, `review-sets-${language}`);
  await page.goto(`/ediscovery/portal/${caseId}/log`);
  await settle(visitor);
  await look(visitor, `review-log-${language}`);
  expectNoFaults(visitor);
}

test('a sample of a case is drawn, read, decided and exported by keyboard alone', async () => {
  await walk('en');
});

test('in German too', async () => {
  await walk('de');
});
