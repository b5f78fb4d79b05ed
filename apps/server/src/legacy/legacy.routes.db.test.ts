import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import type { Job } from '@holdfast/contract/jobs';
import type { Run, RunAccount } from '@holdfast/contract/monitoring';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../storage/index.ts';
import { aResource, testIds } from '../testing/rows.ts';
import { startSimulatedServer, type SimulatedServer } from '../testing/simulated-server.ts';
import { act, connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../testing/simulated-tenant.ts';

/** The job, statistics, lookup and restore calls of the legacy surface, over what has really run. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let token = '';
let main = '';
let organisationId: Scope['organisationId'];
const ip = '192.0.2.10';
const mailOnly = { ...everyone, options: { calendars: false, contacts: false, tasks: false } };
let mailJob = '';
let mailRun = '';

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
}
interface Named {
  readonly sourceId: string;
  readonly name: string;
}

/** A job that is switched off says so, whatever its last run was. */
const nightly = { mode: 'daily', time: '03:00', timeZone: 'Europe/Berlin' };

async function legacy<Answer>(to: string, body?: object): Promise<Answer> {
  const answer = await running.server.send(`/api${to}`, { token, audience: 'legacy', ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Answer;
}

/** A team with two channels in the catalog. */
async function storeTeam(scope: Scope): Promise<void> {
  const { tenantId, locationId } = tenant;
  const resourceId = await aResource(testing.database, { scope, tenantId, locationId }, { name: 'Sales', workload: 'teams', kind: 'team' });
  const item = { contentTag: '', contents: [], properties: {}, sizeBytes: 0 };
  const channels = ['General', 'Leads'].map((name) => ({
    ...item,
    key: `channel:${name}`,
    kind: 'channel' as const,
    parentKey: 'team:1',
    name,
  }));
  await createCatalog({ database: testing.database, scope, locationId, ids: testIds }).apply({
    resourceId,
    sequence: 1,
    hash: 'h',
    runId: testIds.uuid(),
    committedAt: new Date().toISOString(),
    point: true,
    put: [{ ...item, key: 'team:1', kind: 'team', parentKey: null, name: 'Sales' }, ...channels],
    removed: [],
    newBytes: 0,
    storedBytes: 0,
    cursor: '',
  });
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.legacy;
  main = owner.tokens.main;
  organisationId = owner.organisationId;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const { token: joinToken } = (await (
    await server.send('/apollo/api/workers/join-tokens', { method: 'POST', token: owner.tokens.main })
  ).json()) as { token: string };
  const worker = { joinToken, name: 'Here', ip, indexIp: '192.0.2.11', version: '0.1.0' };
  await server.send('/apollo/api/workers/join', { body: worker });
  mailJob = await tenant.job({ type: 'backup', name: 'Mail', source: mailOnly, schedule: nightly });
  await tenant.job({ type: 'backup', name: 'Teams', workload: 'teams', source: everyone });
  const files = await tenant.job({ type: 'backup', name: 'Files', workload: 'onedrive', source: everyone, schedule: nightly });
  mailRun = (await tenant.finish(mailJob)).run_id;
  await tenant.finish(files);
  await storeTeam({ organisationId: owner.organisationId, realm: 'production' });
}, 120_000);
afterAll(() => running.close());

test('jobs are listed by kind and found by name', async () => {
  const names = async (to: string): Promise<string[]> => (await legacy<Listed<Job>>(to)).items.map((job) => job.name).toSorted();
  expect(await names(`/backup-and-restore/scheduled-jobs/${ip}/backup`)).toEqual(['Files', 'Mail', 'Teams']);
  expect(await names(`/backup-and-restore/scheduled-jobs/${ip}/teams`)).toEqual(['Teams']);
  expect(await names(`/backup-and-restore/scheduled-jobs/${ip}/deletion`)).toEqual([]);
  expect(await names('/filtered-jobs?search=mai')).toEqual(['Mail']);
  expect(await names('/filtered-jobs?workload=onedrive&status=successful')).toEqual(['Files']);
});

test('a job is created, changed, started, stopped and removed', async () => {
  const { locationId } = tenant;
  const body = { type: 'backup', name: 'Legacy mail', workload: 'exchange', source: mailOnly, schedule: unscheduled, locationId };
  const { jobId } = await legacy<Job>('/jobs/scheduled-job/create', body);
  expect(await legacy<Job>('/jobs/scheduled-job/update', { jobId, job: { ...body, name: 'Legacy mail two' } })).toMatchObject({
    jobId,
    name: 'Legacy mail two',
  });
  const { taskId } = await legacy<{ taskId: string }>('/backup-and-restore/scheduled-job/start', { jobId });
  await tenant.ended(taskId);
  const underWay = (await legacy<Listed<Run>>('/backup-and-restore/running-jobs')).items;
  // Scans start by themselves after backups, so other runs may be under way.
  expect(underWay.filter((run) => run.jobId === jobId)).toEqual([]);
  await expect(legacy('/backup-and-restore/stop-running-job', { jobId })).rejects.toThrow('jobs.not-running');
  await legacy('/jobs/scheduled-job/remove', { jobId });
  expect((await legacy<Listed<Job>>('/filtered-jobs?search=legacy')).items).toEqual([]);
});

test('a run tells its accounts, and the newest backup that succeeded is found, whatever else has ended since', async () => {
  const { items } = await legacy<Listed<RunAccount>>('/backup-and-restore/scheduled-job/report-data-accounts', {
    reportId: mailRun,
    limit: 200,
  });
  expect(items.length).toBeGreaterThan(2);
  expect(new Set(items.map((account) => account.kind))).toEqual(new Set(['mailbox']));
  const scan = await tenant.call<{ taskId: string }>(`${tenant.tenantId}/data-management/scans`, {});
  expect(await tenant.ended(scan.taskId)).toMatchObject({ status: 'successful' });
  const { run } = await legacy<{ run: Run | null }>(`/backup-and-restore/get-last-successful-job/${ip}`);
  expect(run).toMatchObject({ status: 'successful', type: 'backup' });
});

test('statistics accumulate over the last thirty days, Teams by themselves', async () => {
  const { items } = await legacy<Listed<WorkloadFigures>>('/backup-and-restore/statistics');
  expect(items.map((figures) => figures.workload)).toEqual(['exchange', 'onedrive', 'sharepoint', 'teams']);
  expect(items.find((figures) => figures.workload === 'exchange')).toMatchObject({ failed: 0, lastRun: { status: 'successful' } });
  const teams = await legacy<Listed<WorkloadFigures>>('/teams-archive/statistics');
  expect(teams.items).toMatchObject([{ workload: 'teams', runs: 0, restorePoints: 1 }]);
});

test('pickers find accounts, groups and teams, and what can be restored', async () => {
  const accounts = await legacy<Listed<{ name: string }>>(`/founded-accounts/${ip}/exchange`);
  const restorable = await legacy<Listed<Named>>(`/restore/founded-accounts/${ip}/exchange`);
  expect(accounts.items.length).toBeGreaterThanOrEqual(restorable.items.length);
  expect(restorable.items.length).toBeGreaterThan(2);
  const namesBy = async (sort: string) =>
    (await legacy<Listed<Named>>(`/restore/founded-accounts/${ip}/exchange?sort=${sort}`)).items.map((source) => source.name);
  expect(await namesBy('-name')).toEqual((await namesBy('name')).toReversed());
  expect((await legacy<Listed<object>>(`/founded-groups/${ip}`)).total).toBeGreaterThan(0);
  const teams = await legacy<Listed<{ id: string; name: string }>>('/teams');
  const [team] = teams.items;
  expect((await legacy<Listed<object>>(`/teams/members/${ip}?teamId=${team?.id}`)).items.length).toBeGreaterThan(0);
  const expression = encodeURIComponent(`^${team?.name.slice(0, 3)}`);
  expect((await legacy<Listed<{ name: string }>>(`/teams-filter-re?expression=${expression}`)).items).toMatchObject([{ name: team?.name }]);
  const { items } = await legacy<Listed<{ name: string; channels: object[] }>>('/backup-and-restore/teams-archive-structure');
  expect(items).toMatchObject([{ name: 'Sales', channels: [{ name: 'General' }, { name: 'Leads' }] }]);
});

test('restores carry the workload of what they restore, and a source that is not there is refused', async () => {
  const { locationId } = tenant;
  const sourceOf = async (type: string): Promise<Named | undefined> =>
    (await legacy<Listed<Named>>(`/restore/founded-accounts/${ip}/${type}`)).items[0];
  const mailbox = await sourceOf('exchange');
  const drive = await sourceOf('onedrive');
  const labelOf = async (taskId: string) => {
    expect(await tenant.ended(taskId)).toMatchObject({ status: 'successful' });
    return tenant.call<Run>(`${tenant.tenantId}/monitoring/${taskId}`);
  };
  const restore = { sourceId: drive?.sourceId, items: 'all', target: { kind: 'original' }, collisions: 'skip' };
  const put = await legacy<{ taskId: string }>('/restore-email', { locationId, restore });
  expect(await labelOf(put.taskId)).toMatchObject({ type: 'restore', workload: 'onedrive' });
  expect((await legacy<Listed<Run>>(`/backup-and-restore/finished-restore-teams-jobs/${ip}`)).items).toEqual([]);

  const strange = await legacy<{ taskId: string }>('/restore-email', { locationId, restore: { ...restore, items: ['not there'] } });
  expect(await tenant.ended(strange.taskId)).toMatchObject({ status: 'failed', code: 'restore.no-such-item', added: 0 });
  const download = { locationId, sourceId: mailbox?.sourceId, format: 'mbox', reason: 'A request' };
  const built = await legacy<{ taskId: string }>('/backup-and-restore/full-restore-download', download);
  expect(await labelOf(built.taskId)).toMatchObject({ type: 'restore', workload: 'exchange' });
  const unknown = { ...download, sourceId: mailJob };
  await expect(legacy('/full-restore-download', unknown)).rejects.toThrow('restore.source-unknown');
});

test('a download is of the restore point that was prepared, and leaving it early harms nobody', async () => {
  const { server, simulator } = running;
  const [source] = (await legacy<Listed<Named>>(`/restore/founded-accounts/${ip}/exchange`)).items;
  const body = { locationId: tenant.locationId, sourceId: source?.sourceId, format: 'mbox', reason: 'A request' };
  const { taskId } = await legacy<{ taskId: string }>('/full-restore-download', body);
  expect((await tenant.ended(taskId)).status).toBe('successful');
  const download = () => server.send(`/apollo/api/${tenant.tenantId}/downloads/${taskId}`, { token: main });
  const before = await download();
  expect(before.headers.get('content-type')).toBe('application/mbox');
  expect(before.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+\.mbox"; filename\*=UTF-8''/u);
  const mails = await before.text();
  expect(mails.match(/^From - /gmu)?.length).toBeGreaterThan(1);

  const rows = await testing.asSuperuser(
    'select graph_id from resources join catalog_sources using (organisation_id, realm, resource_id) where source_id = $1',
    [source?.sourceId],
  );
  // Another owner may prepare one of their own, and reads nothing that somebody else gave a reason for.
  const other = await server.member(organisationId, 'owner');
  for (const end of ['', '/info']) {
    const refused = await server.send(`/apollo/api/${tenant.tenantId}/downloads/${taskId}${end}`, { token: other.tokens.main });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'restore.download-not-yours']);
  }

  act(simulator, 'mail.deliver', { user: rows[0]?.['graph_id'], subject: 'Came later' });
  expect((await tenant.finish(mailJob)).added).toBe(1);
  const left = await download();
  await left.body?.cancel();
  expect(await (await download()).text()).toBe(mails);
});

test('a run that is not whole is defective in every list and figure, and no success', async () => {
  const { simulator } = running;
  const succeeded = await legacy<{ run: Run | null }>(`/backup-and-restore/get-last-successful-job/${ip}`);
  const [person] = [...simulator.simulation.tenants.values()].flatMap((one) => one.directory.users()).filter((one) => one.hasMailbox);
  act(simulator, 'mail.deliver', { user: person?.id, subject: 'Cannot be read' });
  simulator.control.setFaults([{ match: { method: 'GET', path: '/users/{id}/messages/{id}/$value' }, do: 'corruptMessage' }]);
  const { run_id: runId } = await tenant.finish(mailJob);
  simulator.control.setFaults([]);
  const { tenantId } = tenant;
  const ours = (runs: Listed<Run>) => runs.items.find((run) => run.reportId === runId);
  expect(await tenant.call<Job>(`${tenantId}/jobs/${mailJob}`)).toMatchObject({ status: 'defective', lastRun: { runId } });
  expect(ours(await tenant.call<Listed<Run>>(`${tenantId}/monitoring`))).toMatchObject({ status: 'defective', errors: 1 });
  expect(ours(await tenant.call<Listed<Run>>(`${tenantId}/reporting`))).toMatchObject({ status: 'defective' });
  const figures = { workload: 'exchange', defective: 1, lastRun: { reportId: runId, status: 'defective' } };
  expect(await tenant.call<WorkloadFigures>(`${tenantId}/dashboard/exchange`)).toMatchObject(figures);
  expect((await legacy<Listed<WorkloadFigures>>('/backup-and-restore/statistics')).items[0]).toMatchObject(figures);
  const together = await tenant.call<{ workloads: WorkloadFigures[]; nextRuns: Job[] }>(`${tenantId}/dashboard/backup`);
  expect(together.workloads.map(({ workload }) => workload)).toEqual(['exchange', 'onedrive', 'sharepoint']);
  expect(together.workloads[0]).toMatchObject(figures);
  const found = await legacy<Listed<Job>>('/filtered-jobs?status=defective');
  expect(found.items.map((job) => job.jobId)).toEqual([mailJob]);
  expect(await legacy<{ run: Run | null }>(`/backup-and-restore/get-last-successful-job/${ip}`)).toEqual(succeeded);
});
