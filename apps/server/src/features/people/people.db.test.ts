import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { expect, test } from 'vitest';
import { createRunsViews } from '../../runs/index.ts';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, aRunRow, testIds as ids } from '../../testing/rows.ts';
import { createJobsViews } from '../jobs/index.ts';
import { createPeopleViews } from './people.views.ts';

const { database } = testDatabase(import.meta.url);
const now = new Date('2026-11-21T12:00:00Z');
const at = (days: number): Date => new Date(now.getTime() - days * 24 * 3_600_000);
const views = createPeopleViews({ database, runs: createRunsViews(database), jobs: createJobsViews(database) });

type Ground = Awaited<ReturnType<typeof aGround>>;
type Status = 'successful' | 'defective' | 'failed' | 'excluded';

/** Lets a run end for one resource, as a worker writes it down. */
async function endRun(ground: Ground, resourceId: string, end: { number: number; status: Status; code?: string; at: Date }): Promise<void> {
  const row = aRunRow(ground, { number: end.number, status: 'successful', queued_at: end.at, started_at: end.at, ended_at: end.at });
  await database.within(ground.scope, async (tx) => {
    await tx.insertInto('runs').values(row).execute();
    const account = { run_id: row.run_id, resource_id: resourceId, status: end.status, code: end.code ?? null, ended_at: end.at };
    await tx
      .insertInto('run_accounts')
      .values({ ...account, started_at: end.at, total: null, sequence: null })
      .execute();
    await tx
      .updateTable('resources')
      .set({ last_status: end.status, last_code: end.code ?? null, last_run_at: end.at })
      .where('resource_id', '=', resourceId)
      .execute();
  });
}

/** A restore point of a resource, with one item. */
async function keep(ground: Ground, resourceId: string): Promise<void> {
  const catalog = createCatalog({ database, ...ground, ids });
  await catalog.apply(aSegment(resourceId, 1, { put: [anItem('a')] }));
}

/** Adele has a mailbox and a OneDrive; Sales is a site. */
async function anOffice() {
  const ground = await aGround(database);
  const mailbox = await aResource(database, ground, { name: 'Adele Vance', workload: 'exchange', kind: 'mailbox' });
  const drive = await aResource(database, ground, { name: 'Adele Vance', workload: 'onedrive', kind: 'drive' });
  await database.within(ground.scope, async (tx) => {
    const addresses = { [mailbox]: 'adele@contoso.example', [drive]: 'Adele@contoso.example' };
    for (const [id, address] of Object.entries(addresses)) {
      await tx.updateTable('resources').set({ address }).where('resource_id', '=', id).execute();
    }
  });
  const site = await aResource(database, ground, { name: 'Sales', workload: 'sharepoint', kind: 'site' });
  return { ground, mailbox, drive, site };
}

test('a person is one entry with a mailbox and a OneDrive, beside a site', async () => {
  const { ground, mailbox, drive, site } = await anOffice();
  const { items, total } = await views.list(ground.scope, ground.tenantId, { limit: 10 });
  expect(total).toBe(2);
  expect(items.map(({ name, kind, resourceId }) => [name, kind, resourceId])).toEqual([
    ['Adele Vance', 'person', mailbox],
    ['Sales', 'site', site],
  ]);
  expect(items[0]?.parts.map((part) => part.resourceId).toSorted()).toEqual([mailbox, drive].toSorted());
  expect(items[0]?.state).toBe('unprotected');
});

test('entries are found by name, kind and state, and never in another organisation', async () => {
  const { ground } = await anOffice();
  const found = async (query: object): Promise<readonly string[]> =>
    (await views.list(ground.scope, ground.tenantId, { limit: 10, ...query })).items.map(({ name }) => name);
  expect(await found({ search: 'adele' })).toEqual(['Adele Vance']);
  expect(await found({ kind: 'site' })).toEqual(['Sales']);
  expect(await found({ state: 'protected' })).toEqual([]);
  expect(await found({ left: true })).toEqual([]);
  const other = await aGround(database);
  expect((await views.list(other.scope, ground.tenantId, { limit: 10 })).total).toBe(0);
});

test('somebody who is gone from Microsoft 365 stays in the list with the day', async () => {
  const { ground, site } = await anOffice();
  await database.within(ground.scope, (tx) =>
    tx
      .updateTable('resources')
      .set({ deleted_at: at(3) })
      .where('resource_id', '=', site)
      .execute(),
  );
  const { items } = await views.list(ground.scope, ground.tenantId, { limit: 10, left: true });
  expect(items.map(({ name, deletedAt }) => [name, deletedAt])).toEqual([['Sales', at(3).toISOString()]]);
});

test('a day is as bad as its worst run of any part, and a mailbox that a policy closed has failed', async () => {
  const { ground, mailbox, drive } = await anOffice();
  await endRun(ground, mailbox, { number: 1, status: 'successful', at: at(2) });
  await endRun(ground, drive, { number: 2, status: 'defective', at: at(2) });
  await endRun(ground, mailbox, { number: 3, status: 'excluded', code: 'graph.mailbox-closed', at: at(1) });
  await endRun(ground, drive, { number: 4, status: 'excluded', code: 'graph.drive-missing', at: at(3) });
  const { dates, rows, total } = await views.days(ground.scope, ground.tenantId, { of: 'person', limit: 5, now });
  expect([dates.length, dates.at(-1), total]).toEqual([30, '2026-11-21', 1]);
  expect(rows[0]?.days.slice(-4)).toEqual(['none', 'errors', 'failed', 'none']);
});

test('those in trouble come first', async () => {
  const { ground, mailbox } = await anOffice();
  const zoe = await aResource(database, ground, { name: 'Zoe Fletcher', workload: 'exchange', kind: 'mailbox' });
  await keep(ground, mailbox);
  await endRun(ground, mailbox, { number: 1, status: 'successful', at: at(1) });
  const { rows } = await views.days(ground.scope, ground.tenantId, { of: 'person', limit: 5, now });
  expect(rows.map(({ resourceId }) => resourceId)[0]).toBe(zoe);
});

test('the page of a person has its places and days, by the mailbox and by the OneDrive alike', async () => {
  const { ground, mailbox, drive } = await anOffice();
  await keep(ground, drive);
  await endRun(ground, drive, { number: 1, status: 'failed', at: at(1) });
  for (const resourceId of [mailbox, drive]) {
    const details = await views.get(ground.scope, ground.tenantId, resourceId, now);
    expect(details?.entry.resourceId).toBe(mailbox);
    expect(details?.places.map((place) => [place.resourceId, place.points])).toEqual([[drive, 1]]);
    expect(details?.days).toHaveLength(60);
    expect(details?.days.at(-2)).toMatchObject({ date: '2026-11-20', state: 'failed' });
  }
});

test('a page that nobody has is not found, and that of another tenant neither', async () => {
  const { ground, mailbox } = await anOffice();
  const other = await aGround(database);
  expect(await views.get(ground.scope, ground.tenantId, ids.uuid(), now)).toBeUndefined();
  expect(await views.get(other.scope, other.tenantId, mailbox, now)).toBeUndefined();
});
