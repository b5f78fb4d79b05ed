import type { Overview } from '@holdfast/contract/dashboard';
import type { RunAccount } from '@holdfast/contract/monitoring';
import type { CoverageReason, MonthlyReport } from '@holdfast/contract/reporting';
import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone, unscheduled, type SimulatedTenant } from '../../testing/simulated-tenant.ts';

/** What is not protected and why, after jobs that leave something out have really run. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let mailJob = '';
let token = '';
const noJunk = { ...everyone, excludeFolders: ['Inbox', 'Posteingang'], options: { junk: false } };

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  mailJob = await tenant.job({ type: 'backup', name: 'Mail', source: noJunk });
  const files = await tenant.job({ type: 'backup', name: 'Files', workload: 'onedrive', source: everyone });
  await tenant.finish(mailJob);
  await tenant.finish(files);
}, 120_000);
afterAll(() => running.close());

async function notProtected(query = ''): Promise<{ items: CoverageReason[]; total: number }> {
  return tenant.call(`${tenant.tenantId}/protection?limit=200${query}`);
}

async function folders(): Promise<[string, string][]> {
  const { items } = await notProtected('&workload=exchange');
  return items.filter((item) => item.path !== '').map((item) => [item.path, item.reason]);
}

test('the runs were whole, whatever they leave out', async () => {
  const { items } = await tenant.call<{ items: { status: string }[] }>(`${tenant.tenantId}/reporting?sort=queuedAt`);
  expect(items.map((run) => run.status)).toEqual(['successful', 'successful']);
});

test('a month counts each account once, in the zone of the organisation, and lists the same', async () => {
  await testing.asSuperuser(`update organisations set time_zone = 'Asia/Kolkata'`);
  const { items } = await tenant.call<{ items: MonthlyReport[] }>(`${tenant.tenantId}/reporting/monthly`);
  expect(items).toHaveLength(1);
  const [month] = items;
  const days = [month?.from, month?.to].map((at) => Temporal.Instant.from(at ?? '').toZonedDateTimeISO('Asia/Kolkata'));
  expect(days.map(({ day, hour, minute }) => [day, hour, minute])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
  ]);
  expect(days.map(({ year, month: number }) => year * 12 + number).reduce((from, to) => to - from)).toBe(1);
  const accounts = (query: string) =>
    tenant.call<{ items: RunAccount[]; total: number }>(`${tenant.tenantId}/reporting/${month?.reportId}/accounts?limit=200${query}`);
  const all = await accounts('');
  expect([all.total, new Set(all.items.map((item) => item.accountId)).size]).toEqual([month?.accounts, month?.accounts]);
  const excluded = await accounts('&status=excluded');
  expect([excluded.total, excluded.items.every((item) => item.status === 'excluded')]).toEqual([
    all.items.filter((item) => item.status === 'excluded').length,
    true,
  ]);
  const [first] = all.items;
  expect((await accounts(`&search=${encodeURIComponent(first?.name ?? '')}`)).items.every((item) => item.name === first?.name)).toBe(true);
  const bySize = (await accounts('&sort=-bytes')).items.map((item) => item.bytes);
  expect(bySize).toEqual(bySize.toSorted((a, b) => b - a));
  expect(new Set(bySize).size).toBeGreaterThan(1);
});

test('folders that a job leaves out are told with their path and the reason, without those below them', async () => {
  const found = await folders();
  expect([...new Set(found.map((line) => line.join(' ')))].toSorted()).toEqual([
    'Junk-E-Mail coverage.junk',
    'Posteingang coverage.excluded',
    'TeamsMessagesData coverage.chats-off',
  ]);
  const { items } = await notProtected('&search=posteingang');
  expect(items).toHaveLength(found.length / 3);
  expect(items[0]).toMatchObject({ workload: 'exchange', state: 'excluded', path: 'Posteingang', since: expect.any(String) as string });
});

test('who is chosen and excluded by a job is told, unless another one has a restore point of theirs', async () => {
  const [inside] = running.simulator.simulation.tenants.values();
  const [member, guest] = (['member', 'guest'] as const).map((kind) => {
    const found = inside?.directory.users().find((person) => person.kind === kind && person.hasMailbox === (kind === 'member'));
    return { id: found?.id ?? '', name: found?.displayName ?? '', address: found?.mail ?? '' };
  });
  const both = [member, guest];
  const job = await tenant.job({ type: 'backup', name: 'Chosen and excluded', source: { users: both, excluded: both } });
  await tenant.finish(job);
  const { items } = await notProtected('&workload=exchange&wholeOnly=true');
  const told = items.filter(({ reason }) => reason === 'coverage.excluded-by-job');
  expect(told).toMatchObject([{ graphId: guest?.id, name: guest?.name, state: 'excluded', path: '' }]);
});

test('the audit log tells from where a job was made and started', async () => {
  const { items } = await tenant.call<{ items: { event: string; address: string | null; requestId: string | null }[] }>(
    `${tenant.tenantId}/audit?event=jobs.`,
  );
  expect(new Set(items.map((item) => item.event))).toEqual(new Set(['jobs.created', 'jobs.started']));
  expect(items.every((item) => item.address !== null && item.requestId !== null)).toBe(true);
});

test('what is not protected is filtered by its state and sorted by any column, newest first where it is asked for', async () => {
  const { items: excluded, total } = await notProtected('&state=excluded');
  expect([total, excluded.every((item) => item.state === 'excluded')]).toEqual([excluded.length, true]);
  expect((await notProtected('&state=unprotected')).total).toBe((await notProtected()).total - total);
  for (const column of ['name', 'address', 'path', 'workload', 'state', 'reason'] as const) {
    const found = (await notProtected(`&sort=${column}`)).items.map((item) => item[column].toLowerCase());
    expect(found).toHaveLength((await notProtected()).total);
    expect((await notProtected(`&sort=-${column}`)).items.map((item) => item[column].toLowerCase())).toEqual(found.toReversed());
  }
  const since = (await notProtected('&sort=-since')).items.map((item) => item.since ?? '');
  expect(since).toEqual(since.toSorted().toReversed());
});

test('what is unreadable or switched off has one line for everything', async () => {
  const { items } = await notProtected();
  const features = items.filter((item) => item.name === '').map((item) => [item.workload, item.reason, item.resourceId]);
  expect(features).toEqual([
    ['exchange', 'coverage.in-place-archive', null],
    ['onedrive', 'coverage.labels', null],
    ['exchange', 'coverage.recoverable-items-off', null],
    ['exchange', 'coverage.search-folders', null],
  ]);
});

test('people without a OneDrive are told by name', async () => {
  const missing = (await notProtected('&workload=onedrive')).items.filter((item) => item.reason === 'graph.drive-missing');
  const [contoso] = running.simulator.simulation.tenants.values();
  const without = (contoso?.directory.users() ?? []).filter((person) => !person.hasDrive && person.kind !== 'guest');
  expect(without.length).toBeGreaterThan(0);
  expect(missing.map((item) => `${item.graphId} ${item.state} ${item.path}`).toSorted()).toEqual(
    without.map((person) => `${person.id} excluded `).toSorted(),
  );
  const { workloads } = await tenant.call<Overview>(`${tenant.tenantId}/dashboard/overview`);
  expect(workloads.find((figures) => figures.workload === 'onedrive')?.excluded).toBe(without.length);
});

test('a folder that the job takes again is no longer told of', async () => {
  const body = {
    type: 'backup',
    name: 'Mail',
    workload: 'exchange',
    schedule: unscheduled,
    locationId: tenant.locationId,
    source: everyone,
  };
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/jobs/${mailJob}`, { method: 'PUT', token, body });
  expect(answer.status).toBe(200);
  expect(await tenant.finish(mailJob)).toMatchObject({ status: 'successful' });
  expect((await folders()).filter(([, reason]) => ['coverage.excluded', 'coverage.junk'].includes(reason))).toEqual([]);
});
