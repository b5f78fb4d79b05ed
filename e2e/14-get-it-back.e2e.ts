import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { endOfBackup, firstPointOf, openOffice, runJob, type Office } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, takePicture, useBrowser, visit, type Visitor } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { ownersOf, people, sentToPeople, truthOf, type TrueItem } from './support/ground-truth.ts';
import { readCsv, readWorkbook, type Cell } from './support/spreadsheet.ts';
import { unzip } from './support/unzip.ts';

useBrowser();

let office: Office;

beforeAll(async () => {
  office = await openOffice();
  for (const workload of ['exchange', 'onedrive', 'sharepoint']) await endOfBackup(office, workload);
});

/** The browser has nothing to complain about, and nobody in the tenant was written to. */
async function expectPeace(visitor: Visitor): Promise<void> {
  expectNoFaults(visitor);
  expect(await sentToPeople()).toEqual([]);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What is compared: files by their path with the hash of their bytes. */
function filesOf(items: readonly TrueItem[]): Readonly<Record<string, string>> {
  return Object.fromEntries(items.flatMap(({ kind, path, sha256: hash }) => (kind === 'file' ? [[path, hash ?? '']] : [])));
}

/** Opens the restore page and the items of a source, found by name and kind. */
async function openSource({ page }: Visitor, name: string, kind: string): Promise<void> {
  await page.goto('/backup-and-restore/restore');
  await page.getByRole('searchbox').fill(name);
  const row = page
    .getByRole('row')
    .filter({ hasText: name })
    .filter({ has: page.getByRole('cell', { name: kind, exact: true }) });
  await row.getByRole('button', { name, exact: true }).click();
  await page.getByRole('grid', { name: 'Contents' }).waitFor();
}

const itemBox = (page: Page, name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

/** From the chosen items over the target to the end of the run. */
async function restoreChosen({ page }: Visitor, choose: () => Promise<void> = async () => undefined): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  await choose();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  const result = page
    .getByRole('main')
    .getByText(/^(Successful|Defective|Failed)$/)
    .first();
  await result.waitFor({ timeout: 120_000 });
  expect(await result.textContent()).toBe('Successful');
}

test('a deleted folder comes back with all its files', async () => {
  const owner = 'edward.roberts@contoso.com';
  const before = filesOf(await truthOf('drives', owner));
  await people([{ do: 'drives.delete', user: owner, path: 'Templates 1' }]);
  expect(Object.keys(filesOf(await truthOf('drives', owner)))).not.toContain('Templates 1/Export 2022-13.docx');
  const visitor = await visit();
  await signIn(visitor);
  await openSource(visitor, 'Edward Roberts', 'Drive');
  await itemBox(visitor.page, 'Templates 1').click();
  await restoreChosen(visitor);
  expect(filesOf(await truthOf('drives', owner))).toEqual(before);
  await expectPeace(visitor);
});

test('a file gets the bytes of an earlier version, chosen in the calendar', async () => {
  const owner = 'simon.kelly@contoso.com';
  const file = 'Offer 2021-8.txt';
  const before = filesOf(await truthOf('drives', owner));
  await people([{ do: 'drives.edit', user: owner, path: file, content: 'Overwritten by mistake.' }]);
  await runJob(office, 'OneDrive every night');
  expect(filesOf(await truthOf('drives', owner))[file]).not.toBe(before[file]);
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await openSource(visitor, 'Simon Kelly', 'Drive');
  await page.getByRole('button', { name: 'Choose another time' }).click();
  await page.getByRole('table', { name: 'Days with restore points' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, 'restore-calendar');
  await page
    .getByRole('button', { name: /^\d\d:\d\d/ })
    .last()
    .click();
  await page.getByText('State of', { exact: false }).waitFor();
  await itemBox(page, file).click();
  await restoreChosen(visitor, async () => {
    await page.getByRole('radio', { name: 'Replace existing' }).click();
  });
  expect(filesOf(await truthOf('drives', owner))).toEqual(before);
  await expectPeace(visitor);
});

/** Rows of the lists of a site as people wrote them; ids and times are the service's own, people are named by their number. */
function rowsOf(items: readonly TrueItem[]): readonly string[] {
  return items
    .filter(({ kind }) => kind === 'listItem')
    .map(({ metadata }) => {
      // Microsoft Graph takes no values of managed metadata and links; the report names them.
      const {
        Team: team,
        TeamLookupId: numbers,
        Keyword: _keyword,
        Link: _link,
        ...fields
      } = metadata['fields'] as Record<string, unknown>;
      const named = (team as readonly { readonly LookupId: number }[] | undefined)?.map(({ LookupId }) => LookupId);
      return JSON.stringify(
        Object.entries({ ...fields, people: numbers ?? named }).toSorted(([left], [right]) => left.localeCompare(right)),
      );
    });
}

test('a whole site comes back: the files of its library and the rows of its lists', async () => {
  const owners = await ownersOf('sites');
  const sites = await Promise.all(owners.map(async (owner) => ({ owner, items: await truthOf('sites', owner) })));
  const site = sites.find(({ items }) => items[0]?.path === '/sites/quality');
  const library = site?.items.find(({ kind, path }) => kind === 'list' && path.endsWith('/Shared Documents'));
  const owner = site?.owner ?? '';
  const drive = String(library?.metadata['driveId']);
  const files = filesOf(await truthOf('drives', drive));
  const rows = rowsOf(site?.items ?? []);
  const top = (await truthOf('drives', drive)).filter(({ path }) => !path.includes('/'));
  const row = site?.items.find(({ kind, path }) => kind === 'listItem' && path.includes('/Vorgaenge/'));
  await people([
    ...top.map(({ id }) => ({ do: 'drives.delete', drive, id })),
    { do: 'sites.deleteItem', site: owner, list: 'Vorgaenge', id: row?.id },
  ]);
  expect(filesOf(await truthOf('drives', drive))).toEqual({});
  const visitor = await visit();
  await signIn(visitor);
  await openSource(visitor, 'Qualität', 'Site');
  await visitor.page.getByRole('button', { name: 'Select everything' }).click();
  await restoreChosen(visitor);
  expect(filesOf(await truthOf('drives', drive))).toEqual(files);
  expect(rowsOf(await truthOf('sites', owner)).toSorted()).toEqual(rows.toSorted());
  await expectPeace(visitor);
});

/** What people said in a channel: author, second and words of what is not deleted; a taken millisecond moves on by one. */
function wordsOf(items: readonly TrueItem[]): readonly string[] {
  const said = items.filter(({ metadata }) => metadata['deletedAt'] === null);
  return said
    .map(({ metadata: { from, createdAt, body } }) => JSON.stringify({ from, at: String(createdAt).slice(0, 19), body }))
    .toSorted();
}

/** Words alone, said by somebody: what else a message can carry comes back as text, which is another matter. */
function isPlain({ metadata }: TrueItem): boolean {
  const extras = ['attachments', 'mentions', 'reactions', 'hostedContents'].flatMap((name) => metadata[name] as readonly unknown[]);
  return metadata['from'] !== null && metadata['deletedAt'] === null && extras.length === 0;
}

test('a channel comes back with its posts and answers, their authors and times', async () => {
  await firstPointOf(office, 'teams', 'Company');
  const owners = await ownersOf('channels');
  const channels = await Promise.all(owners.map(async (owner) => ({ owner, items: await truthOf('channels', owner) })));
  const { owner: channel = '', items = [] } = channels.find(({ items: [first] }) => first?.path.startsWith('News/')) ?? {};
  const rootOf = ({ metadata }: TrueItem): unknown => metadata['rootId'];
  const posts = items.filter((item) => isPlain(item) && rootOf(item) === null && items.every((other) => rootOf(other) !== item.id));
  const answers = items.filter((item) => isPlain(item) && rootOf(item) !== null);
  const gone = [...posts.slice(-2), ...answers.slice(-1)];
  await people(
    gone.map((item) => ({ do: 'teams.delete', channel, id: item.id, ...(rootOf(item) === null ? {} : { rootId: rootOf(item) }) })),
  );
  expect(wordsOf(await truthOf('channels', channel))).toHaveLength(wordsOf(items).length - 3);
  const visitor = await visit();
  await signIn(visitor);
  await openSource(visitor, 'Company', 'Team');
  await itemBox(visitor.page, 'News').click();
  await restoreChosen(visitor);
  expect(wordsOf(await truthOf('channels', channel))).toEqual(wordsOf(items));
  await expectPeace(visitor);
});

/** The last post of each channel of a team that nobody answered. */
function lastPosts(items: readonly TrueItem[]): readonly { readonly channel: string; readonly id: string }[] {
  const answered = new Set(items.map(({ metadata }) => metadata['rootId']));
  return items
    .filter(({ kind }) => kind === 'channel')
    .flatMap(({ id: channel, path }) => {
      const inside = items.filter((item) => item.path.startsWith(`${path}/`) && item.metadata['rootId'] === null);
      const last = inside.findLast((item) => isPlain(item) && !answered.has(item.id));
      return last === undefined ? [] : [{ channel, id: last.id }];
    });
}

/** A team and its channels as they were made: name, members, settings, apps and tabs. */
const madeOf = (items: readonly TrueItem[]): readonly unknown[] =>
  items.flatMap(({ kind, path, metadata: { migrationMode: _mode, ...facts } }) =>
    kind === 'team' || kind === 'channel' ? [{ path, ...facts }] : [],
  );

const saidIn = (items: readonly TrueItem[]): readonly string[] =>
  wordsOf(items.filter(({ kind }) => kind !== 'team' && kind !== 'channel'));

test('a whole team comes back: what was said in each of its channels, and nothing twice', async () => {
  const teams = await Promise.all((await ownersOf('teams')).map(async (owner) => ({ owner, items: await truthOf('teams', owner) })));
  // One that no journey has restored anything to yet.
  const several = teams.filter(
    ({ items }) => lastPosts(items).length > 1 && items.every(({ metadata }) => metadata['isImported'] !== true),
  );
  const [{ owner, items } = { owner: '', items: [] }] = several.toSorted((left, right) => left.items.length - right.items.length);
  const name = items[0]?.path ?? '';
  await firstPointOf(office, 'teams', name);
  const gone = lastPosts(items);
  await people(gone.map((post) => ({ do: 'teams.delete', ...post })));
  expect(saidIn(await truthOf('teams', owner))).toHaveLength(saidIn(items).length - gone.length);
  const visitor = await visit();
  await signIn(visitor);
  await openSource(visitor, name, 'Team');
  await visitor.page.getByRole('button', { name: 'Select everything' }).click();
  await restoreChosen(visitor);
  const after = await truthOf('teams', owner);
  expect(saidIn(after)).toEqual(saidIn(items));
  expect(madeOf(after)).toEqual(madeOf(items));
  await expectPeace(visitor);
});

test('a mail folder is downloaded as the exact messages that lie in it', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await openSource(visitor, 'Zoe Fletcher', 'Mailbox');
  await page.getByRole('button', { name: 'Mail', exact: true }).click();
  await itemBox(page, 'Archive').click();
  await restoreChosen(visitor, async () => {
    await page.getByRole('radio', { name: 'Download' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Please enter a reason.').waitFor();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Asked for by its owner');
  });
  await page.getByRole('link', { name: 'Open the run' }).click();
  await settle(visitor);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the file' }).click()]);
  const files = unzip(await readFile(await download.path()));
  const expected = (await truthOf('mail', 'zoe.fletcher@contoso.com'))
    .filter(({ path }) => path === 'Archive')
    .map(({ sha256: hash }) => hash ?? '');
  expect(expected.length).toBeGreaterThan(5);
  const mails = [...files].filter(([name]) => name.endsWith('.eml'));
  expect(mails.map(([, bytes]) => sha256(bytes)).toSorted()).toEqual(expected.toSorted());
  for (const [name] of mails) expect(JSON.parse(String(files.get(`${name}.metadata.json`)))).toMatchObject({ kind: 'message' });
  await expectPeace(visitor);
});

/** What a list shows, its heads first: a time by its moment, everything else by its first line. */
const shownRows = `[...document.querySelectorAll('main table tr')].map((row) => [...row.querySelectorAll('th, td')].map((cell) =>
  cell.querySelector('time')?.dateTime ?? cell.innerText.trim().split('\\n')[0]))`;

async function exported({ page }: Visitor, entry: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  await page.getByRole('button', { name: 'Exportieren' }).click();
  const titles = page.getByRole('menuitemcheckbox', { name: 'Spaltentitel einschließen' });
  if ((await titles.getAttribute('aria-checked')) !== 'true') await titles.click();
  if (!(await titles.isVisible())) await page.getByRole('button', { name: 'Exportieren' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: entry }).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** The number that a reader of German sees: `1.234`, `1,5 MB`, `12 von 12`. */
function numberIn(shown: string): number {
  const [, digits = '', unit = 'B'] = shown.match(/^([\d.,]+)(?:\s([KMGT]?B))?/) ?? [];
  return Number(digits.replaceAll('.', '').replace(',', '.')) * 1024 ** units.indexOf(unit);
}

const instant = /^\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d$/;

/** What a cell of an export has to be where this is shown: numbers as near as three digits are, times to the second. */
function wanted(shown: string, cell: Cell): Cell {
  if (typeof cell === 'number') return Math.abs(numberIn(shown) - cell) <= cell * 0.005 ? cell : numberIn(shown);
  if (cell === null || cell === '') return shown === '–' || shown === '' ? cell : shown;
  if (instant.test(cell)) return Math.floor(Date.parse(shown) / 1000) === Date.parse(cell) / 1000 ? cell : shown;
  return /^[=+@-]/.test(shown) ? `'${shown}` : shown;
}

test('a list is exported to xlsx and csv cell by cell as it is shown, in German, and no text becomes a formula', async () => {
  const visitor = await visit({ language: 'de', width: 1920 });
  const { page } = visitor;
  await signIn(visitor);
  const formula = '=HYPERLINK("http://elsewhere.example";"Hier"), Müller';
  await page.goto('/configuration/holds/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(formula);
  await page.getByRole('textbox', { name: 'Grund' }).fill('@SUM(A1), "alt"');
  await page.getByLabel('Bis').fill('1999-12-31');
  await page.getByRole('button', { name: 'Legal Hold anlegen' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const cells: Cell[] = [];
  for (const [path, list] of [
    ['/configuration/holds', 'Legal Holds'],
    ['/backup-and-restore/job-monitor?status=successful', 'Auftragsmonitor'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('table').getByRole('row').nth(1).waitFor();
    await settle(visitor);
    const shown = await page.evaluate<string[][]>(shownRows);
    const workbook = await exported(visitor, 'Excel-Arbeitsmappe (.xlsx)');
    const text = await exported(visitor, 'Durch Kommas getrennte Werte (.csv)');
    expect([workbook.name, text.name]).toEqual([`${list}.xlsx`, `${list}.csv`]);
    const { name, rows } = readWorkbook(workbook.bytes);
    expect(name).toBe(list);
    const lines = readCsv(text.bytes.toString('utf8').replace(/^\uFEFF/, ''));
    expect(rows).toHaveLength(shown.length);
    expect(lines).toEqual(rows.map((row) => row.map((cell) => String(cell ?? ''))));
    expect(rows[0]).toEqual(shown[0]?.slice(0, rows[0]?.length));
    expect(rows).toEqual(rows.map((row, at) => row.map((cell, column) => wanted(shown[at]?.[column] ?? '', cell))));
    cells.push(...rows.flat());
  }
  expect(cells).toEqual(expect.arrayContaining([`'${formula}`, `'@SUM(A1), "alt"`]));
  await expectPeace(visitor);
});
