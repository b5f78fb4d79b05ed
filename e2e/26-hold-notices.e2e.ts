import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDemo } from '../tools/demo.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { createJob, findUser, openOffice, runJob, type Office } from './support/backups.ts';
import { expectNoFaults, settle, takePicture, useBrowser, visit, type Language } from './support/browser.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { box, button, headed, look, phrases } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

let dataDir: string;
let post: MailServer;
let product: Product;
let holdId: string;
let custodian: { readonly name: string; readonly address: string };

interface Listed<Item> {
  readonly items: readonly Item[];
}

async function keepMail(office: Office): Promise<void> {
  await createJob(office, { name: 'Mail of one', workload: 'exchange', users: [await findUser(office, custodian.name)] });
  expect((await runJob(office, 'Mail of one')).status).toBe('successful');
}

/** Puts everything of somebody on hold, as a case does. */
async function hold({ api, tenantId }: Office, name: string): Promise<string> {
  const at = `/apollo/api/${tenantId}/archive/cases`;
  const { caseId } = await api.post<{ caseId: string }>(at, { matter: 'Falcon' });
  const people = await api.get<Listed<{ key: string; name: string }>>(`${at}/${caseId}/people`);
  const key = people.items.find((one) => one.name === name)?.key;
  await api.post(`${at}/${caseId}/custodians`, { keys: [key] });
  const { holds } = await api.post<{ holds: { holdId: string }[] }>(`${at}/${caseId}/holds`, { name: 'Falcon', reason: 'Court order' });
  return holds[0]?.holdId ?? '';
}

/** A product whose mails a mail server takes, and somebody whose mailbox is on hold. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-notices-'));
  post = await startMailServer();
  product = await startProduct({
    dataDir,
    port: '0',
    withSimulator: true,
    onOutput: () => undefined,
    environment: { HOLDFAST_LOG_LEVEL: 'info', HOLDFAST_SMTP_URL: post.url, HOLDFAST_SECOND_FACTOR: 'optional' },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant) throw new Error('The simulator has no tenant.');
  await connectDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  const office = await openOffice(product.address);
  custodian = await findUser(office, 'Grace Harris');
  await keepMail(office);
  holdId = await hold(office, custodian.name);
});
afterAll(async () => {
  await product.stop();
  await post.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The way to the notice, out of the newest mail with this subject; long lines of a mail are broken. */
async function linkIn(subject: string): Promise<string> {
  const find = (): string =>
    post.mails
      .filter((mail) => mail.includes(`Subject: ${subject}`) && mail.includes(`To: ${custodian.address}`))
      .flatMap((mail) => /\/hold-notice\/[\w-]{43}/.exec(mail.replaceAll('=\n', ''))?.[0] ?? [])
      .at(-1) ?? '';
  await expect.poll(find, { timeout: 30_000, interval: 100 }).not.toBe('');
  return find();
}

async function walk(language: Language): Promise<void> {
  const { holdNotices: own, noticePage } = phrases[language];
  const subject = `Falcon ${language}`;
  const office = await visit({ address: product.address, language, theme: language === 'en' ? 'light' : 'dark' });
  await signIn(office);
  const { page } = office;
  await page.goto(`/configuration/holds/${holdId}`);
  await button(page, own.send).click();
  if (language === 'en') await page.getByText(custodian.address, { exact: true }).first().waitFor();
  else {
    // Whoever has been told is not proposed again.
    await box(page, own.recipients).fill(custodian.address);
    await page.keyboard.press('Enter');
  }
  await box(page, own.subject).fill(subject);
  await box(page, own.message).fill('Delete nothing about Falcon.\n\nAsk the legal department.');
  await settle(office);
  await look(office, `notice-form-${language}`);
  await button(page, own.send).click();
  const sent = own.mails.sent.split(' ')[0] ?? '';
  await page
    .getByText(new RegExp(`^${sent} `))
    .first()
    .waitFor();
  await page.getByText(own.acknowledgedOf.replace('{{acknowledged}}', '0').replace('{{count}}', '1')).first().waitFor();

  const guest = await visit({ address: product.address, language, theme: language === 'en' ? 'dark' : 'light', width: 390 });
  await guest.page.goto(await linkIn(subject));
  await headed(guest.page, noticePage.title).waitFor();
  await guest.page.getByText('Ask the legal department.').waitFor();
  await settle(guest);
  await look(guest, `notice-${language}`);
  await button(guest.page, noticePage.acknowledge).focus();
  await guest.page.keyboard.press('Enter');
  await guest.page.getByText(noticePage.acknowledgedAt.split('{{')[0] ?? '').waitFor();
  await look(guest, `notice-acknowledged-${language}`);
  expectNoFaults(guest);

  await page.reload();
  await page.getByText(own.acknowledgedOf.replace('{{acknowledged}}', '1').replace('{{count}}', '1')).first().waitFor();
  await settle(office);
  await look(office, `notices-of-hold-${language}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await takePicture(page, `notices-of-hold-narrow-${language}`);
  expectNoFaults(office);
}

test('a custodian gets a hold notice by mail, reads and acknowledges it without an account, and the hold shows it', async () => {
  await walk('en');
});

test('in German too', async () => {
  await walk('de');
});
