import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Paper } from '@holdfast/contract/paper';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { demoOwner, setUpDemo } from '../tools/demo.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { endOfBackup, openOffice } from './support/backups.ts';
import { expectNoFaults, settle, useBrowser, visit } from './support/browser.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { look, phrases } from './support/people.ts';
import { signIn } from './support/sign-in.ts';
import { readWorkbook } from './support/spreadsheet.ts';

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
      HOLDFAST_SECOND_FACTOR: 'optional',
      NODE_OPTIONS: `--import ${new URL('../apps/server/src/testing/jumping-clock.mjs', import.meta.url).href}`,
      TEST_CLOCK_FILE: clockFile,
    },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant) throw new Error('The simulator has no tenant.');
  await setUpDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  const office = await openOffice(product.address);
  for (const workload of ['exchange', 'onedrive', 'sharepoint', 'teams']) await endOfBackup(office, workload);
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
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: text.periodReports.exportXlsx }).click();
    const { name: sheet, rows } = readWorkbook(await readFile(await (await coming).path()));
    expect([sheet, rows[0]]).toEqual([text.periodReports.monthly, [text.common.name, text.search.builder.value]]);
    expect(rows.map(([label]) => label)).toContain(text.periodReports.number);
    await page.getByRole('table', { name: text.periodReports.byKind }).getByRole('link').first().click();
    await page.waitForURL(/\/backup-and-restore\/reports\?tab=runs/);
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    await settle(visitor);
    await look(visitor, `runs-of-a-report-${language}`);
    expectNoFaults(visitor);
  },
);

/** A number of a report: how it is written, and where it leads. */
interface Leading {
  readonly text: string;
  readonly link: string | undefined;
  /** How many rows the list has to have; null where the number is one of items, sizes or people. */
  readonly rows: number | null;
}

/** Every number that a paper says, but for dates and its own number. */
function numbersOf({ verdict, sections }: Paper, counting: ReadonlySet<string>): readonly Leading[] {
  const said = (verdict.parts ?? []).filter(({ text }) => /\d/.test(text)).map(({ text, link }) => ({ text, link, rows: null }));
  const found = sections.flatMap(({ title, blocks }) =>
    blocks.flatMap((block): readonly Leading[] => {
      if (block.kind === 'figures')
        return block.figures.map(({ label, value, link }) => ({ text: value, link, rows: counting.has(label) ? plain(value) : null }));
      if (block.kind === 'list') return block.items.map(({ text, link }) => ({ text, link, rows: null }));
      if (block.kind === 'chart') return [{ text: '', link: block.link, rows: null }];
      if (block.kind !== 'table') return [];
      const isCounting = counting.has(block.title || title);
      return block.rows.flatMap(({ cells, values = [], link, links = [] }) =>
        values.flatMap((value, at) =>
          value === null ? [] : [{ text: cells[at] ?? '', link: links[at] ?? link, rows: isCounting ? value : null }],
        ),
      );
    }),
  );
  return [...said, ...found];
}

const plain = (written: string): number => Number(written.replaceAll(/\D/g, ''));

/** How many rows the list on the page has in all. */
async function rowsOn(page: Page): Promise<number> {
  const range = page.getByRole('status').filter({ hasText: /^\d[\d.,]*–\d[\d.,]* (?:of|von) / });
  return (await range.count()) === 0 ? 0 : plain((await range.last().innerText()).split(/ (?:of|von) /)[1] ?? '');
}

test('every number of the report is clicked, and its list has as many rows', async () => {
  const text = phrases.en;
  const { api, tenantId } = await openOffice(product.address);
  // Of the days in which everything ran, and made now: what is protected is counted when a report is made.
  const day = 86_400_000;
  const period = { from: new Date(Date.now() - day).toISOString(), to: new Date(Date.now() + day).toISOString() };
  const { reportId } = await api.post<{ reportId: string }>(`/apollo/api/${tenantId}/period-reports`, period);
  const { paper } = await api.get<{ paper: Paper }>(`/apollo/api/${tenantId}/period-reports/${reportId}?language=en`);
  const { periodReports: words, status } = text;
  const counting = [status.protected, status.partly, status.unprotected, status.excluded, words.protectionByWorkload, words.byKind];
  const numbers = numbersOf(paper, new Set([...counting, words.accounts, words.holdsActive, words.holdsPlaced, words.holdsReleased]));
  expect(numbers.filter(({ link }) => link === undefined)).toEqual([]);
  expect(numbers.filter(({ rows }) => rows !== null).length).toBeGreaterThan(20);

  const visitor = await visit({ address: product.address });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto(`/reports/${reportId}`);
  await page.getByRole('table', { name: words.byKind }).waitFor();
  const hrefs = new Set(numbers.map(({ link }) => link ?? ''));
  const wrong: unknown[] = [];
  for (const href of hrefs) {
    const mine = numbers.filter(({ link }) => link === href);
    const anchors = page.getByRole('main').locator(`a[href="${href}"]`);
    const written = await anchors.allInnerTexts();
    for (const one of mine) if (!written.some((words) => words.includes(one.text))) wrong.push(['is no link', one]);
    await anchors.first().click();
    await page.waitForURL((url) => `${url.pathname}${url.search}` === href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settle(visitor);
    if ((await page.getByText(text.kit.notFoundHere).count()) > 0) wrong.push(['leads nowhere', href]);
    const found = await rowsOn(page);
    for (const { rows } of mine) if (rows !== null && rows !== found) wrong.push([href, { rows, found }]);
    await page.goBack();
    await page.getByRole('table', { name: words.byKind }).waitFor();
  }
  expect(wrong).toEqual([]);
  expectNoFaults(visitor);
}, 600_000);
