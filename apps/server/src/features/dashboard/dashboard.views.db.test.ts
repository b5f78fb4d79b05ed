import { defaultBackupSettings, type BackupSettings } from '@holdfast/contract/configuration';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { expect, test } from 'vitest';
import { aGround, aResource, aRunRow, testIds as ids } from '../../testing/rows.ts';
import { everyone } from '../../testing/simulated-tenant.ts';
import { createNightlyStore } from '../audit/nightly.store.ts';
import { createCatalog } from '../../storage/index.ts';
import { createJobsViews } from '../jobs/index.ts';
import { createRunsViews } from '../../runs/index.ts';
import { createProtectionViews, createReportsViews } from '../reporting/index.ts';
import { createAttentionViews } from './attention.views.ts';
import { createFiguresViews } from './figures.views.ts';
import { createGrowthViews } from './growth.views.ts';
import { createOverviewViews } from './overview.views.ts';

const { database } = testDatabase(import.meta.url);
const now = new Date('2026-11-21T12:00:00Z');
const at = (days: number): Date => new Date(now.getTime() - days * 24 * 3_600_000);

const runs = createRunsViews(database);
const protection = createProtectionViews(database);
const reports = createReportsViews(database);
const figures = createFiguresViews({ database, runs, protection });
const views = createOverviewViews({
  attention: createAttentionViews(database),
  database,
  figures,
  jobs: createJobsViews(database),
  runs,
  reports,
  protection,
  nightly: createNightlyStore(database),
});

type Ground = Awaited<ReturnType<typeof aGround>>;

async function aRun(
  ground: Ground,
  values: {
    number: number;
    status: 'pending' | 'successful' | 'failed' | 'defective';
    queuedAt: Date;
    type?: 'backup' | 'drill' | 'verify';
    result?: object;
  },
): Promise<string> {
  const runId = ids.uuid();
  const row = aRunRow(ground, {
    run_id: runId,
    number: values.number,
    type: values.type ?? 'backup',
    status: values.status,
    trigger: 'schedule',
    added: 10,
    bytes: 1_000,
    stored_bytes: 100,
    queued_at: values.queuedAt,
    started_at: values.status === 'pending' ? null : values.queuedAt,
    ended_at: values.status === 'pending' ? null : values.queuedAt,
    result: values.result === undefined ? null : JSON.stringify(values.result),
  });
  await database.within(ground.scope, (tx) => tx.insertInto('runs').values(row).execute());
  return runId;
}

/** Lets the last run of every resource end the same way. */
async function endWith({ scope }: Ground, status: 'excluded' | 'successful', code: string | null): Promise<void> {
  await database.within(scope, (tx) => tx.updateTable('resources').set({ last_status: status, last_code: code }).execute());
}

async function configure({ scope, tenantId }: Ground, settings: BackupSettings): Promise<void> {
  const row = { tenant_id: tenantId, settings: JSON.stringify(settings), connection: null, users_synchronised_at: null };
  await database.within(scope, async (tx) => {
    await tx.deleteFrom('backup_configurations').execute();
    await tx.insertInto('backup_configurations').values(row).execute();
  });
}

async function aJob(
  { scope, tenantId, locationId }: Ground,
  name: string,
  nextRunAt: Date,
  type: 'backup' | 'drill' = 'backup',
): Promise<string> {
  const jobId = ids.uuid();
  const schedule = { mode: 'daily', time: '22:00', timeZone: 'UTC' };
  await database.within(scope, (tx) =>
    tx
      .insertInto('jobs')
      .values({
        job_id: jobId,
        tenant_id: tenantId,
        name,
        type,
        workload: 'exchange',
        location_id: locationId,
        body: JSON.stringify({ type, name, locationId, source: everyone, schedule }),
        schedule: JSON.stringify(schedule),
        next_run_at: nextRunAt,
        creator: 'somebody',
        created_by: null,
        created_at: at(3),
        anchored_at: at(3),
      })
      .execute(),
  );
  return jobId;
}

test('figures count the last thirty days and show every day of them', async () => {
  const ground = await aGround(database);
  await aRun(ground, { number: 1, status: 'successful', queuedAt: at(40) });
  await aRun(ground, { number: 2, status: 'failed', queuedAt: at(2) });
  await aRun(ground, { number: 3, status: 'successful', queuedAt: at(1) });
  const [exchange, ...others] = await figures.workloads(ground.scope, ground.tenantId, now, ['exchange']);
  expect([exchange?.workload, others]).toEqual(['exchange', []]);
  expect(exchange).toMatchObject({ runs: 2, successful: 1, failed: 1, items: 20, bytes: 2_000, lastSuccessAt: at(1).toISOString() });
  expect(exchange?.days).toHaveLength(30);
  expect(exchange?.days.at(-2)).toMatchObject({ date: '2026-11-20', successful: 1 });
});

test('a day is one of the organisation’s clock', async () => {
  const ground = await aGround(database);
  await database.within(ground.scope, (tx) => tx.updateTable('organisations').set({ time_zone: 'Asia/Kolkata' }).execute());
  // Two in the morning of the 21st in India.
  await aRun(ground, { number: 1, status: 'successful', queuedAt: new Date('2026-11-20T20:30:00Z') });
  const daysAt = async (time: string) => (await figures.workloads(ground.scope, ground.tenantId, new Date(time)))[0]?.days ?? [];
  const days = await daysAt('2026-11-21T12:00:00Z');
  expect([days.length, days.at(-1)?.date, days.at(-1)?.successful, days.at(-2)?.successful]).toEqual([30, '2026-11-21', 1, 0]);
  expect((await daysAt('2026-11-21T18:30:00Z')).at(-1)?.date).toBe('2026-11-22');
});

test('a resource is protected with a point, partly after a defective run, and otherwise not', async () => {
  const ground = await aGround(database);
  const catalog = createCatalog({ database, ...ground, ids });
  const [whole, gaps, none, excluded] = [
    await aResource(database, ground),
    await aResource(database, ground),
    await aResource(database, ground),
    await aResource(database, ground),
  ];
  for (const id of [whole, gaps]) await catalog.apply(aSegment(id, 1, { put: [anItem('a')] }));
  const states = [
    [whole, 'successful'],
    [gaps, 'defective'],
    [excluded, 'excluded'],
  ] as const;
  for (const [id, status] of states) {
    await database.within(ground.scope, (tx) =>
      tx.updateTable('resources').set({ last_status: status }).where('resource_id', '=', id).execute(),
    );
  }
  expect(await protection.counts(ground.scope, ground.tenantId)).toEqual([
    { workload: 'exchange', protected: 1, partly: 1, unprotected: 1, excluded: 1 },
  ]);
  const listed = await protection.notProtected(ground.scope, ground.tenantId, { limit: 10, wholeOnly: true });
  expect(listed.items.map((item) => [item.resourceId, item.state, item.reason])).toEqual([
    [none, 'unprotected', 'coverage.no-restore-point'],
    [gaps, 'partly', 'coverage.items-missing'],
    [excluded, 'excluded', 'coverage.excluded'],
  ]);
  const short = await protection.notProtected(ground.scope, ground.tenantId, { limit: 10, wholeOnly: true, withoutExcluded: true });
  expect([short.total, short.items.map((item) => item.state)]).toEqual([2, ['unprotected', 'partly']]);
});

test('mailboxes that an access policy blocks need attention in one entry, until one run can read them', async () => {
  const ground = await aGround(database);
  await aResource(database, ground, { name: 'Zoe' });
  await aResource(database, ground, { name: 'Ann' });
  await aResource(database, ground, { name: 'Ann', kind: 'archive', workload: 'archive' });
  const attention = async () => (await views.overview(ground.scope, ground.tenantId, now)).attention;
  await endWith(ground, 'excluded', 'graph.mailbox-closed');
  expect(await attention()).toEqual([
    {
      kind: 'coverage',
      code: 'graph.mailbox-closed',
      name: 'Ann',
      others: 1,
      link: '/backup-and-restore/reports?tab=coverage&workload=exchange',
      isRisk: true,
      since: null,
      jobId: null,
    },
  ]);
  await endWith(ground, 'successful', null);
  expect(await attention()).toEqual([]);
});

test('chats and workloads that are off come first in the short list of the overview', async () => {
  const ground = await aGround(database);
  for (let person = 0; person < 6; person += 1) await aResource(database, ground);
  await aResource(database, ground, { workload: 'teams', kind: 'team' });
  await configure(ground, { ...defaultBackupSettings, exchange: { ...defaultBackupSettings.exchange, enabled: false } });
  const { notProtected } = await views.overview(ground.scope, ground.tenantId, now);
  expect(notProtected.items).toHaveLength(5);
  expect(notProtected.items.slice(0, 2).map(({ workload, reason }) => [workload, reason])).toEqual([
    ['teams', 'coverage.chats-off'],
    ['exchange', 'coverage.workload-off'],
  ]);
});

test('the last drill is told of also after a hundred verifications', async () => {
  const ground = await aGround(database);
  await aRun(ground, { number: 1, status: 'successful', queuedAt: at(9), type: 'drill', result: { checked: 20, leftOut: 3 } });
  for (let number = 2; number <= 102; number += 1) await aRun(ground, { number, status: 'successful', queuedAt: at(3), type: 'verify' });
  const { lastDrill, lastVerification } = await views.overview(ground.scope, ground.tenantId, now);
  expect(lastDrill).toMatchObject({ checked: 20, leftOut: 3 });
  expect(lastVerification).toMatchObject({ kind: 'verify' });
});

test('a drill that found a deviation comes first in what needs attention', async () => {
  const ground = await aGround(database);
  await aRun(ground, {
    number: 1,
    status: 'successful',
    queuedAt: at(3),
    type: 'drill',
    result: { checked: 20, checkedBytes: 5, deviations: 2 },
  });
  const overview = await views.overview(ground.scope, ground.tenantId, now);
  expect(overview.attention[0]).toMatchObject({ kind: 'evidence', code: 'evidence.deviation' });
  expect(overview.lastDrill).toMatchObject({ state: 'deviation', checked: 20, deviations: 2 });
  expect(overview.lastVerification).toBeNull();
});

test('a deviation is healed by a later drill that finds none', async () => {
  const ground = await aGround(database);
  const drill = { status: 'successful', type: 'drill' } as const;
  await aRun(ground, { ...drill, number: 1, queuedAt: at(3), result: { checked: 20, deviations: 2 } });
  await aRun(ground, { ...drill, number: 2, queuedAt: at(2), result: { checked: 20, deviations: 0 } });
  expect((await views.overview(ground.scope, ground.tenantId, now)).attention).toEqual([]);
});

test('evidence older than thirty days is overdue, and needs attention', async () => {
  const ground = await aGround(database);
  await aRun(ground, { number: 1, status: 'successful', queuedAt: at(31), type: 'drill', result: { checked: 20, deviations: 0 } });
  expect((await reports.evidence(ground.scope, ground.tenantId, now))[0]?.state).toBe('overdue');
  const { attention } = await views.overview(ground.scope, ground.tenantId, now);
  expect(attention).toMatchObject([{ kind: 'evidence', code: 'evidence.drill-overdue' }]);
});

test('what should have begun a quarter of an hour ago needs attention: nothing fails where nothing runs', async () => {
  const ground = await aGround(database);
  const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const runId = await aRun(ground, { number: 1, status: 'pending', queuedAt: before(16) });
  await aRun(ground, { number: 2, status: 'pending', queuedAt: before(14) });
  const jobId = await aJob(ground, 'Mail every night', before(16));
  await aJob(ground, 'Sites every night', before(14));
  const { attention } = await views.overview(ground.scope, ground.tenantId, now);
  expect(attention.map(({ code, link }) => [code, link]).toSorted(([left = ''], [right = '']) => left.localeCompare(right))).toEqual([
    ['runs.not-begun', `/backup-and-restore/backup-jobs/${jobId}`],
    ['runs.waiting', `/backup-and-restore/job-monitor/${runId}`],
  ]);
});

test('each month in which something ran has a report, and its id leads to its accounts', async () => {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const runId = await aRun(ground, { number: 1, status: 'successful', queuedAt: new Date('2026-10-31T23:00:00Z') });
  await aRun(ground, { number: 2, status: 'defective', queuedAt: at(1) });
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('run_accounts')
      .values({
        run_id: runId,
        resource_id: resourceId,
        status: 'successful',
        items: 7,
        bytes: 70,
        total: null,
        code: null,
        sequence: null,
      })
      .execute(),
  );
  const [november, october] = await reports.monthly(ground.scope, ground.tenantId);
  expect(november).toMatchObject({ reportNumber: 202_611, runs: 1, defective: 1 });
  expect(october).toMatchObject({ reportNumber: 202_610, runs: 1, successful: 1, from: '2026-10-01T00:00:00.000Z' });
  const place = { tenantId: ground.tenantId, reportId: october?.reportId ?? '' };
  const accounts = await reports.monthAccounts(ground.scope, place, { limit: 10 });
  expect(accounts).toMatchObject({ total: 1, items: [{ accountId: resourceId, items: 7, bytes: 70 }] });
  expect(await reports.monthAccounts(ground.scope, { ...place, reportId: runId }, { limit: 10 })).toBeUndefined();
});

test('what is stored counts what runs have written so far, as the source data does', async () => {
  const ground = await aGround(database);
  await aRun(ground, { number: 1, status: 'successful', queuedAt: at(1) });
  const running = await aRun(ground, { number: 2, status: 'pending', queuedAt: at(0) });
  const [whole, begun] = [await aResource(database, ground), await aResource(database, ground)];
  const catalog = createCatalog({ database, ...ground, ids });
  await catalog.apply({ ...aSegment(whole, 1, { put: [anItem('a')] }), runId: running, storedBytes: 30 });
  await catalog.apply({ ...aSegment(begun, 1, { put: [anItem('a')] }), runId: running, storedBytes: 4, point: false });
  const { storage } = await views.overview(ground.scope, ground.tenantId, now);
  expect(storage.map(({ storedBytes }) => storedBytes)).toEqual([134]);
});

test('what runs next is told in the order of its time, of all kinds or of one', async () => {
  const ground = await aGround(database);
  const inDays = (days: number) => at(-days);
  await aJob(ground, 'Sites', inDays(2));
  await aJob(ground, 'Rehearsal', inDays(1), 'drill');
  await aJob(ground, 'Mail', inDays(1.5));
  const jobs = createJobsViews(database);
  const next = async (limit: number, type?: 'backup') =>
    (await jobs.upcoming(ground.scope, ground.tenantId, limit, type)).map(({ name }) => name);
  expect(await next(5)).toEqual(['Rehearsal', 'Mail', 'Sites']);
  expect(await next(5, 'backup')).toEqual(['Mail', 'Sites']);
  expect(await next(1, 'backup')).toEqual(['Mail']);
});

test('another organisation sees nothing of all this', async () => {
  const ground = await aGround(database);
  const other = await aGround(database);
  await aRun(ground, { number: 1, status: 'failed', queuedAt: at(1) });
  const overview = await views.overview(other.scope, ground.tenantId, now);
  expect(overview.attention).toEqual([]);
  expect(overview.recentRuns).toEqual([]);
  expect(overview.storage).toEqual([]);
});

const place = { locationName: 'Vault', sourceBytes: 5_000, storedBytes: 1_000, freeBytes: 9_000 };

test('growth is what runs wrote by day, and nothing before the first of them', async () => {
  const ground = await aGround(database);
  await aRun(ground, { number: 1, status: 'successful', queuedAt: at(3) });
  await aRun(ground, { number: 2, status: 'successful', queuedAt: at(1) });
  const storage = [{ ...place, locationId: ground.locationId }];
  const { days, locations } = await createGrowthViews(database).growth(ground.scope, ground.tenantId, now, storage);
  expect(days.slice(-5).map(({ storedBytes }) => storedBytes)).toEqual([0, 900, 900, 1_000, 1_000]);
  expect(days.at(-1)?.sourceBytes).toBe(5_000);
  expect(locations, 'four days are no trend').toMatchObject([{ fullInDays: null }]);
});

test('a location is full when what is free has been written, as fast as in the days that are known', async () => {
  const ground = await aGround(database);
  for (let day = 0; day <= 10; day += 1) await aRun(ground, { number: day + 1, status: 'successful', queuedAt: at(10 - day) });
  const outlook = async (freeBytes: number | null) => {
    const storage = [{ ...place, locationId: ground.locationId, freeBytes }];
    const { locations } = await createGrowthViews(database).growth(ground.scope, ground.tenantId, now, storage);
    return locations[0]?.fullInDays;
  };
  expect([await outlook(9_000), await outlook(null)]).toEqual([90, null]);
});

test('readiness names the last proof of each workload that is kept', async () => {
  const ground = await aGround(database);
  const catalog = createCatalog({ database, ...ground, ids });
  await catalog.apply(aSegment(await aResource(database, ground), 1, { put: [anItem('a')] }));
  await aRun(ground, { number: 1, status: 'successful', queuedAt: at(3), type: 'drill', result: { checked: 20 } });
  const runId = await aRun(ground, {
    number: 2,
    status: 'defective',
    queuedAt: at(2),
    type: 'drill',
    result: { checked: 19, deviations: 1 },
  });
  const items = await reports.readiness(ground.scope, ground.tenantId, now);
  expect(items).toMatchObject([{ workload: 'exchange', drill: { runId, state: 'deviation', checked: 19 }, verification: null }]);
});
