import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Paper } from '@holdfast/contract/paper';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { connectDemo, demoOrganisation, demoOwner } from '../tools/demo.ts';
import { startProduct, type Product } from '../tools/product.ts';
import { createJob, findUser, openOffice, runJob, type Office } from './support/backups.ts';
import { expectNoFaults, settle, useBrowser, visit, type Visitor } from './support/browser.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { first, look, phrases } from './support/people.ts';
import { signIn } from './support/sign-in.ts';
import { readWorkbook } from './support/spreadsheet.ts';

useBrowser();

const administrator = 'berta@contoso.example';
let dataDir: string;
let post: MailServer;
let product: Product;
let office: Office;

/** A product whose clock a test moves, and whose mails somebody receives. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-months-'));
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
      TEST_CLOCK_FILE: path.join(dataDir, 'clock'),
    },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant) throw new Error('The simulator has no tenant.');
  await connectDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  office = await openOffice(product.address);
  await Promise.all([haveAMonth(office), inviteGerman(office)]);
});
afterAll(async () => {
  await product.stop();
  await post.close();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * What there is to report: backups of two people, and everybody else in no job. OneDrive and SharePoint answer so many
 * requests a minute and no more: those of all of Contoso would take minutes.
 */
async function haveAMonth({ api, tenantId }: Office): Promise<void> {
  const known = await api.get<Listed<{ organisationId: string; name: string }>>('/apollo/api/organisations');
  const organisation = known.items.find(({ name }) => name === demoOrganisation);
  await api.put(`/apollo/api/organisations/${organisation?.organisationId}`, { name: demoOrganisation, timeZone: 'Europe/Berlin' });
  const users = await Promise.all(['Grace Harris', 'Jack Edwards'].map((name) => findUser(office, name)));
  await createJob(office, { name: 'Mail of two', workload: 'exchange', users });
  await createJob(office, { name: 'Files of one', workload: 'onedrive', users: users.slice(0, 1) });
  // After the jobs: it sets up some of its own where there are none.
  await provision({ api, tenantId });
  const runs = await Promise.all(['Mail of two', 'Files of one'].map((name) => runJob(office, name)));
  expect(runs.map(({ status }) => status)).toEqual(['successful', 'successful']);
}

interface Listed<Item> {
  readonly items: readonly Item[];
}

async function provision({ api, tenantId }: Office): Promise<void> {
  const at = `/apollo/api/Tenants/${tenantId}`;
  await api.post(`${at}/provision`, {});
  while ((await api.get<{ status: string }>(at)).status !== 'provisioned') await pause(250);
}

/** Somebody who reads German, by an invitation as it is mailed. */
async function inviteGerman({ api }: Office): Promise<void> {
  await api.post('/apollo/api/members', { email: administrator, role: 'administrator' });
  const code = await foundIn((mail) => (mail.includes(`To: ${administrator}`) ? /\/invitation\/([\w-]+)/.exec(mail)?.[1] : undefined));
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ code, password: first });
  await fetch(`${product.address}/apollo/api/invitations/account`, { method: 'POST', headers, body });
  const own = await createApi(product.address, { email: administrator, password: first });
  await own.post('/apollo/api/invitations/accept', { code });
  await own.put('/apollo/account', { firstName: 'Berta', lastName: 'Berg', phoneNumber: '', language: 'de' });
}

/** The words of a mail, its lines joined again and its letters decoded. */
function wordsOf(mail: string): string {
  const bytes = mail
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** What is looked for in the mails, once one has come that has it. */
const foundIn = (find: (mail: string) => string | undefined): Promise<string> =>
  vi.waitFor(
    () => {
      const found = post.mails.map(wordsOf).flatMap((mail) => find(mail) ?? []);
      if (found[0] === undefined) throw new Error(`Not in the ${post.mails.length} mails that have come.`);
      return found[0];
    },
    { timeout: 90_000, interval: 100 },
  );

/** Moves the clock of the product to the first of the next month, a quarter of an hour after midnight in Berlin; answers the month that ended. */
async function firstOfMonth(): Promise<Date> {
  const today = Temporal.Now.plainDateISO('Europe/Berlin');
  const next = today.with({ day: 1 }).add({ months: 1 }).toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '00:15' });
  await writeFile(path.join(dataDir, 'clock'), String(next.epochMilliseconds - Date.now()));
  return new Date(next.subtract({ months: 1 }).epochMilliseconds);
}

const nameOf = (month: Date, language: 'en' | 'de'): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { month: 'long', year: 'numeric', timeZone: 'Europe/Berlin' }).format(
    month,
  );

/** The mail about a month to somebody, once it has come. */
const mailAbout = (month: string, email: string): Promise<string> =>
  foundIn((mail) => (mail.includes(`To: ${email}`) && mail.includes(month) && /\/reports\/[\w-]+/.test(mail) ? mail : undefined));

const reportIn = (mail: string): string => /\/reports\/[\w-]+/.exec(mail)?.[0] ?? '';

async function open(visitor: Visitor, report: string): Promise<void> {
  await signIn(visitor);
  await visitor.page.goto(report);
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  await settle(visitor);
}

/** Saves the report as a spreadsheet and reads the labels of its first sheet. */
async function exported(page: Page, button: string): Promise<{ readonly name: string; readonly labels: readonly unknown[] }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const { name, rows } = readWorkbook(await readFile(await (await coming).path()));
  return { name, labels: rows.map(([label]) => label) };
}

test('the first of the month comes: owner and administrator get a mail in their language with the report, which leads to the portal', async () => {
  const month = await firstOfMonth();
  const mails = { en: await mailAbout(nameOf(month, 'en'), demoOwner.email), de: await mailAbout(nameOf(month, 'de'), administrator) };
  for (const language of ['en', 'de'] as const) {
    expect(mails[language]).toContain('Content-Type: application/pdf');
    expect(mails[language]).toContain('Content-Type: image/png');
    expect(mails[language]).toContain(phrases[language].mails.monthlyReport.button);
  }
  expect(reportIn(mails.de)).toBe(reportIn(mails.en));
  const runs = await office.api.get<Listed<{ status: string }>>(`/apollo/api/${office.tenantId}/monitoring?type=monthlyReport&limit=50`);
  expect(runs.items.map(({ status }) => status)).toEqual(['successful']);

  const text = phrases.en;
  const visitor = await visit({ address: product.address });
  await open(visitor, reportIn(mails.en));
  await visitor.page.getByText(nameOf(month, 'en')).first().waitFor();
  await look(visitor, 'report-of-a-month-en');
  const sheet = await exported(visitor.page, text.periodReports.exportXlsx);
  expect(sheet.name).toBe(text.periodReports.monthly);
  expect(sheet.labels).toContain(text.periodReports.number);
  expectNoFaults(visitor);
});

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

/** How many rows the list on the page has in all; none where it says that there are none. */
async function rowsOn(page: Page): Promise<number> {
  const range = page.getByRole('status').filter({ hasText: /^\d[\d.,]*–\d[\d.,]* (?:of|von) / });
  return (await range.count()) === 0 ? 0 : plain((await range.last().innerText()).split(/ (?:of|von) /)[1] ?? '');
}

/** Clicks what leads to a list. */
async function follow(visitor: Visitor, link: Locator, href: string): Promise<void> {
  const { page } = visitor;
  await link.click();
  await page.waitForURL((url) => `${url.pathname}${url.search}` === href);
  // A list in a drawer hides the heading of its page.
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor();
  await settle(visitor);
}

/** What is wrong with the page that a number has led to; a list may come after its page. */
function faultOf({ page }: Visitor, { rows }: Leading): Promise<string | null> {
  const look_ = async (): Promise<string | null> => {
    if ((await page.getByText(phrases.de.kit.notFoundHere).count()) > 0) return 'it leads nowhere';
    const found = await rowsOn(page);
    return rows === null || rows === found ? null : `its list has ${found} rows`;
  };
  return vi
    .waitFor(
      async () => {
        if ((await look_()) !== null) throw new Error('not yet');
        return null;
      },
      { timeout: 5_000, interval: 100 },
    )
    .catch(look_);
}

test('every number of the report is clicked, in German, and its list has as many rows', async () => {
  const { periodReports: words, status } = phrases.de;
  const { api, tenantId } = office;
  const reports = await api.get<Listed<{ reportId: string }>>(`/apollo/api/${tenantId}/period-reports?limit=10`);
  const reportId = reports.items[0]?.reportId ?? '';
  const { paper } = await api.get<{ paper: Paper }>(`/apollo/api/${tenantId}/period-reports/${reportId}?language=de`);
  const counting = [status.protected, status.partly, status.unprotected, status.excluded, words.protectionByWorkload, words.byKind];
  const numbers = numbersOf(paper, new Set([...counting, words.accounts, words.holdsActive, words.holdsPlaced, words.holdsReleased]));
  expect(numbers.filter(({ link }) => link === undefined)).toEqual([]);
  expect(numbers.filter(({ rows }) => rows !== null).length).toBeGreaterThan(20);

  const visitor = await visit({ address: product.address, language: 'de', theme: 'dark' });
  const { page } = visitor;
  await open(visitor, `/reports/${reportId}`);
  await look(visitor, 'report-of-a-month-de');
  const wrong: unknown[] = [];
  for (const href of new Set(numbers.map(({ link }) => link ?? ''))) {
    const links = page.getByRole('main').locator(`a[href="${href}"]`);
    const mine = numbers.filter(({ link }) => link === href);
    const written = await links.allInnerTexts();
    for (const one of mine) if (!written.some((said) => said.includes(one.text))) wrong.push(['it is no link', one]);
    await follow(visitor, links.first(), href);
    for (const one of mine) {
      const fault = await faultOf(visitor, one);
      if (fault !== null) wrong.push([fault, one]);
    }
    await page.goBack();
    await page.getByRole('table', { name: words.byKind }).waitFor();
  }
  expect(wrong).toEqual([]);
  expectNoFaults(visitor);
});
