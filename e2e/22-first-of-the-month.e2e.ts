import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoOwner, setUpDemo } from '../tools/demo.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { endOfBackup, openOffice } from './support/backups.ts';
import { expectNoFaults, settle, useBrowser, visit } from './support/browser.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { look, phrases } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

let dataDir: string;
let post: MailServer;
let product: Product;
let clockFile: string;

/** A product whose clock a test moves, and whose mails somebody receives. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-months-'));
  clockFile = path.join(dataDir, 'clock');
  post = await startMailServer();
  product = await startProduct({
    dataDir,
    port: '0',
    withSimulator: true,
    onOutput: () => undefined,
    environment: {
      HOLDFAST_LOG_LEVEL: 'info',
      HOLDFAST_SMTP_URL: post.url,
      NODE_OPTIONS: `--import ${new URL('../apps/server/src/testing/jumping-clock.mjs', import.meta.url).href}`,
      TEST_CLOCK_FILE: clockFile,
    },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant) throw new Error('The simulator has no tenant.');
  await setUpDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  await endOfBackup(await openOffice(product.address), 'exchange');
}, 300_000);
afterAll(async () => {
  await product.stop();
  await post.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Moves the clock of the product to the first of a month from now, a quarter of an hour after midnight in Berlin. */
async function firstOfMonth(months: number): Promise<Date> {
  const today = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  const first = today.toPlainDate().with({ day: 1 }).add({ months }).toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '00:15' });
  await writeFile(clockFile, String(first.epochMilliseconds - Date.now()));
  return new Date(first.subtract({ months: 1 }).epochMilliseconds);
}

/** The words of a mail, its lines joined again and its letters decoded. */
function wordsOf(mail: string): string {
  const bytes = mail
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The mail about a month, once it has come. */
async function mailOf(month: string): Promise<string> {
  const find = (): string => post.mails.map(wordsOf).find((mail) => mail.includes(month) && /\/reports\/[\w-]+/.test(mail)) ?? '';
  await expect.poll(find, { timeout: 120_000, interval: 250 }).not.toBe('');
  return find();
}

test.each([
  ['en', 1],
  ['de', 2],
] as const)(
  'the first of the month comes, and the owner gets a mail with the report that leads to its lists (%s)',
  async (language, months) => {
    const text = phrases[language];
    const { api, tenantId } = await openOffice(product.address);
    await api.put('/apollo/account', { firstName: 'Ada', lastName: 'Adams', phoneNumber: '', language });
    const month = await firstOfMonth(months);
    const name = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
      month: 'long',
      year: 'numeric',
      timeZone: 'Europe/Berlin',
    }).format(month);
    const mail = await mailOf(name);
    expect(mail).toContain(`To: ${demoOwner.email}`);
    expect(mail).toContain('Content-Type: application/pdf');
    expect(mail).toContain('Content-Type: image/png');
    expect(mail).toContain(text.mails.monthlyReport.button);
    const runs = await api.get<{ items: readonly { status: string }[] }>(`/apollo/api/${tenantId}/monitoring?type=monthlyReport&limit=50`);
    expect(runs.items.map(({ status }) => status)).toEqual(Array.from({ length: months }, () => 'successful'));

    const visitor = await visit({ address: product.address, language });
    await signIn(visitor);
    const { page } = visitor;
    await page.goto(/\/reports\/[\w-]+/.exec(mail)?.[0] ?? '');
    await page.getByText(name).first().waitFor();
    await settle(visitor);
    await look(visitor, `report-of-a-month-${language}`);
    await page.getByRole('table', { name: text.periodReports.byKind }).getByRole('link').first().click();
    await page.waitForURL(/\/backup-and-restore\/reports\?tab=runs/);
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    await settle(visitor);
    await look(visitor, `runs-of-a-report-${language}`);
    expectNoFaults(visitor);
  },
);
