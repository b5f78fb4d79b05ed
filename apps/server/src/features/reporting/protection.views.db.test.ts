import { defaultBackupSettings, type BackupSettings } from '@holdfast/contract/configuration';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { expect, test } from 'vitest';
import { aGround, aResource, aRunRow, testIds as ids } from '../../testing/rows.ts';
import { createCatalog } from '../../storage/index.ts';
import { createProtectionOfViews } from '../discovery/index.ts';
import { createRunsViews } from '../../runs/index.ts';
import { createProtectionViews, createReportsViews } from './index.ts';

const { database } = testDatabase(import.meta.url);
const now = new Date('2026-11-21T12:00:00Z');

const runs = createRunsViews(database);
const protection = createProtectionViews(database);
const reports = createReportsViews(database);

type Ground = Awaited<ReturnType<typeof aGround>>;

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

async function aJobAskingFor({ scope, tenantId, locationId }: Ground, workload: 'exchange' | 'teams', option: string): Promise<void> {
  const row = {
    job_id: ids.uuid(),
    tenant_id: tenantId,
    name: 'Asks for more',
    type: 'backup' as const,
    workload,
    location_id: locationId,
    body: JSON.stringify({ source: { options: { [option]: true } } }),
    schedule: JSON.stringify({ mode: 'none' }),
    next_run_at: null,
    creator: 'somebody',
    created_by: null,
    created_at: now,
    anchored_at: now,
  };
  await database.within(scope, (tx) => tx.insertInto('jobs').values(row).execute());
}

test('what is blocked or archived is not protected, or only partly, and not excluded', async () => {
  const ground = await aGround(database);
  for (const code of ['graph.mailbox-closed', 'graph.site-archived']) {
    const [blocked, blockedSince] = [await aResource(database, ground), await aResource(database, ground)];
    await createCatalog({ database, ...ground, ids }).apply(aSegment(blockedSince, 1, { put: [anItem('a')] }));
    await endWith(ground, 'excluded', code);
    expect(await protection.counts(ground.scope, ground.tenantId)).toEqual([
      { workload: 'exchange', protected: 0, partly: 1, unprotected: 1, excluded: 0 },
    ]);
    const listed = await protection.notProtected(ground.scope, ground.tenantId, { limit: 10, wholeOnly: true });
    expect(listed.items.map((item) => [item.resourceId, item.state, item.reason])).toEqual([
      [blocked, 'unprotected', code],
      [blockedSince, 'partly', code],
    ]);
    await database.within(ground.scope, (tx) => tx.updateTable('resources').set({ deleted_at: now }).execute());
  }
});

// Blocked and switched off keep data out of the backup. Where there is no mailbox there is no data to keep, so that counting
// every account without a licence as unprotected would hide those that are.
test('people without a mailbox leave nothing unprotected', async () => {
  const ground = await aGround(database);
  await aResource(database, ground);
  await endWith(ground, 'excluded', 'graph.mailbox-missing');
  expect(await protection.counts(ground.scope, ground.tenantId)).toMatchObject([{ unprotected: 0, excluded: 1 }]);
});

test('a candidate of a job that is blocked is not protected, or only partly', async () => {
  const ground = await aGround(database);
  const [blocked, blockedSince] = [await aResource(database, ground), await aResource(database, ground)];
  await createCatalog({ database, ...ground, ids }).apply(aSegment(blockedSince, 1, { put: [anItem('a')] }));
  const states = async (code: string | null) => {
    await endWith(ground, 'excluded', code);
    const place = { tenantId: ground.tenantId, locationId: ground.locationId, workload: 'exchange' as const };
    const [found, rows] = await Promise.all([
      createProtectionOfViews(database).of(ground.scope, place),
      database.within(ground.scope, (tx) => tx.selectFrom('resources').select(['resource_id', 'graph_id']).execute()),
    ]);
    const graphIds = new Map(rows.map((row) => [row.resource_id, row.graph_id]));
    return [blocked, blockedSince].map((id) => found.get(graphIds.get(id) ?? '')?.protection);
  };
  expect(await states('graph.mailbox-closed')).toEqual(['unprotected', 'partly']);
  expect(await states('graph.mailbox-missing')).toEqual(['excluded', 'excluded']);
  expect(await states(null)).toEqual(['excluded', 'excluded']);
});

test('a run lists what is blocked as not protected, and only what was excluded by choice as excluded', async () => {
  const ground = await aGround(database);
  const runId = ids.uuid();
  const run = aRunRow(ground, { run_id: runId, number: 1, type: 'backup', status: 'successful', queued_at: now, ended_at: now });
  await database.within(ground.scope, (tx) => tx.insertInto('runs').values(run).execute());
  const ended = { run_id: runId, status: 'excluded' as const, items: 0, bytes: 0, total: null, sequence: null };
  const codes = ['graph.mailbox-closed', 'graph.mailbox-missing', null];
  for (const code of codes) {
    const row = { ...ended, code, resource_id: await aResource(database, ground, { name: code ?? 'choice' }) };
    await database.within(ground.scope, (tx) => tx.insertInto('run_accounts').values(row).execute());
  }
  const wanted = [
    ['choice', 'excluded'],
    ['graph.mailbox-closed', 'unprotected'],
    ['graph.mailbox-missing', 'excluded'],
  ];
  const { items } = await runs.accounts(ground.scope, runId, { limit: 10, sort: 'name' });
  expect(items.map(({ name, status }) => [name, status])).toEqual(wanted);
  const filtered = await runs.accounts(ground.scope, runId, { limit: 10, status: 'unprotected' });
  expect([filtered.total, filtered.items[0]?.name]).toEqual([1, 'graph.mailbox-closed']);
  const sorted = await runs.accounts(ground.scope, runId, { limit: 10, sort: '-status' });
  expect(sorted.items[0]?.status).toBe('unprotected');
  const [month] = await reports.monthly(ground.scope, ground.tenantId);
  const place = { tenantId: ground.tenantId, reportId: month?.reportId ?? '' };
  const ofMonth = await reports.monthAccounts(ground.scope, place, { limit: 10, sort: 'name' });
  expect(ofMonth?.items.map(({ name, status }) => [name, status])).toEqual(wanted);
});

const offLines = [
  ['exchange', { enabled: false }, 'coverage.workload-off'],
  ['onedrive', { enabled: false }, 'coverage.workload-off'],
  ['sharepoint', { enabled: false }, 'coverage.workload-off'],
  ['teams', { enabled: false }, 'coverage.workload-off'],
  ['exchange', { includeRecoverableItems: false }, 'coverage.recoverable-items-off'],
  ['sharepoint', { includePermissions: false }, 'coverage.permissions-off'],
  ['teams', { includePrivateChannels: false }, 'coverage.private-channels-off'],
  ['teams', { includeChats: false }, 'coverage.chats-off'],
] as const;

const allOn = {
  ...defaultBackupSettings,
  exchange: { ...defaultBackupSettings.exchange, includeRecoverableItems: true },
  teams: { ...defaultBackupSettings.teams, includeChats: true },
};

test.each(offLines)('of %s, %o is a line of what is not protected', async (workload, changes, code) => {
  const ground = await aGround(database);
  const reasons = async () => {
    const query = { limit: 50, workload, state: 'unprotected' as const };
    const { items } = await protection.notProtected(ground.scope, ground.tenantId, query);
    return items.filter(({ name }) => name === '').map(({ reason }) => reason);
  };
  await configure(ground, { ...allOn, [workload]: { ...allOn[workload], ...changes } });
  expect(await reasons(), 'nothing of it is in the tenant').toEqual([]);
  await aResource(database, ground, { workload, kind: 'mailbox' });
  expect(await reasons()).toContain(code);
  await configure(ground, allOn);
  expect(await reasons()).not.toContain(code);
});

test('before anybody has saved settings, those that are preset count', async () => {
  const ground = await aGround(database);
  for (const workload of ['exchange', 'onedrive', 'sharepoint', 'teams'] as const) await aResource(database, ground, { workload });
  const { items } = await protection.notProtected(ground.scope, ground.tenantId, { limit: 100 });
  expect(items.flatMap(({ reason }) => (reason.endsWith('-off') ? [reason] : [])).toSorted()).toEqual([
    'coverage.chats-off',
    'coverage.recoverable-items-off',
  ]);
});

test.each(['chats', 'recoverableItems'] as const)('a job that asks for %s on its own reads what the settings leave out', async (option) => {
  const ground = await aGround(database);
  const workload = option === 'chats' ? 'teams' : 'exchange';
  await aResource(database, ground, { workload });
  const off = async () =>
    (await protection.notProtected(ground.scope, ground.tenantId, { limit: 50 })).items
      .map(({ reason }) => reason)
      .filter((reason) => ['coverage.chats-off', 'coverage.recoverable-items-off'].includes(reason));
  expect(await off()).toHaveLength(1);
  await aJobAskingFor(ground, workload, option);
  expect(await off()).toEqual([]);
});
