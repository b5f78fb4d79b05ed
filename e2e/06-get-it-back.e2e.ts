import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { endOfBackup, firstPointOf, openOffice, runJob, type Office } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, signIn, takePicture, useBrowser, visit, type Visitor } from './support/browser.ts';
import { ownersOf, people, sentToPeople, truthOf, type TrueItem } from './support/ground-truth.ts';
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
  await page.getByRole('link', { name: 'Restore', exact: true }).click();
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
      const { Team: team, TeamLookupId: numbers, ...fields } = metadata['fields'] as Record<string, unknown>;
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

test('a mail folder is downloaded as the exact messages that lie in it', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await openSource(visitor, 'Zoe Fletcher', 'Mailbox');
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
  expect([...files.values()].map(sha256).toSorted()).toEqual(expected.toSorted());
  await expectPeace(visitor);
});
