import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import type { Simulator } from '@holdfast/m365-simulator';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, truthOf, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn, TestServer } from '../../testing/test-server.ts';

/** Deletion runs over a mailbox whose restore points lie years apart. */
const testing = testDatabase(import.meta.url);
let simulator: Simulator;
let running: SimulatedServer;
let server: TestServer;
let tenant: SimulatedTenant;
let second: SignedIn;
let folder = '';
let mailbox = '';
let sourceId = '';
let atPoint: ReadonlyMap<number, readonly Message[]>;

/** When the points of the mailbox were made, by sequence; the eighth is of now. */
const times = [
  '2019-05-01T09:00:00Z',
  '2020-06-10T09:00:00Z',
  '2021-03-10T09:00:00Z',
  '2021-03-20T09:00:00Z',
  '2021-04-05T10:00:00Z',
  '2021-04-05T22:30:00Z',
  '2021-04-06T12:00:00Z',
] as const;

interface Message {
  /** What a message is called wherever it lies. */
  readonly id: string;
  readonly sha256: string;
}

/** The messages that the simulator has of the mailbox. */
async function messages(below = ''): Promise<Message[]> {
  const records = (await truthOf(simulator, 'mail', mailbox)).filter((one) => one.kind === 'message' && one.path.startsWith(below));
  return records.map(({ metadata, sha256 }) => ({ id: JSON.stringify(metadata['internetMessageId']), sha256: sha256 ?? '' }));
}

const sorted = (found: readonly Message[], by: keyof Message): string[] => found.map((message) => message[by]).sort();

/** What the catalog says that the messages of a point are. */
async function recorded(sequence: number): Promise<string[]> {
  const rows = await testing.asSuperuser(
    `select content -> 'ref' ->> 'sha256' as sha256 from catalog_items, json_array_elements(detail -> 'contents') content
     where source_id = $1 and kind = 'message' and from_point <= $2 and to_point > $2 and content ->> 'role' = 'mime' order by 1`,
    [sourceId, sequence],
  );
  return rows.map((row) => String(row['sha256'])).sort();
}

async function pointsOf(source: string): Promise<number[]> {
  const rows = await testing.asSuperuser('select sequence::int from catalog_points where source_id = $1 order by sequence', [source]);
  return rows.map((row) => Number(row['sequence']));
}

/** Gives the mailbox eight restore points, one for each message that came. */
async function grow(): Promise<void> {
  const backup = await tenant.job({ type: 'backup', name: 'Mail', source: everyone });
  const truth = new Map<number, readonly Message[]>();
  await tenant.finish(backup);
  const rows = await testing.asSuperuser(
    `select source_id, graph_id from catalog_sources join resources using (organisation_id, realm, resource_id)
     where kind = 'mailbox' and items > 3 order by items desc limit 1`,
  );
  mailbox = String(rows[0]?.['graph_id']);
  sourceId = String(rows[0]?.['source_id']);
  for (let point = (await pointsOf(sourceId)).length; point <= times.length; point += 1) {
    truth.set(point, await messages());
    act(simulator, 'mail.deliver', { user: mailbox, subject: `After point ${point}` });
    expect((await tenant.finish(backup)).status).toBe('successful');
  }
  atPoint = truth;
  for (const [index, at] of times.entries()) {
    await testing.asSuperuser('update catalog_points set committed_at = $1 where source_id = $2 and sequence = $3', [
      at,
      sourceId,
      index + 1,
    ]);
  }
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ simulator, server, folder } = running);
  const owner = await server.owner();
  second = await server.member(owner.organisationId, 'owner');
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  await grow();
}, 300_000);
afterAll(() => running.close());

interface Preview {
  readonly pointsToDelete: number;
  readonly pointsHeld: number;
}

function deletion(name: string, retention: object) {
  const { locationId } = tenant;
  const common = { type: 'deletion', workload: 'exchange', source: everyone, schedule: { mode: 'disabled' } };
  return { ...common, name, retention, locationId };
}

/** What a deletion needs before it may run: a second person. */
async function approve(jobId: string): Promise<void> {
  const path = `/apollo/api/${tenant.tenantId}/approvals`;
  const token = second.tokens.main;
  const { items } = (await (await server.send(path, { token })).json()) as { items: { approvalId: string; subjectId: string }[] };
  const request = items.find(({ subjectId }) => subjectId === jobId);
  expect((await server.send(`${path}/${request?.approvalId}/approve`, { method: 'POST', token })).status).toBe(200);
}

/** Previews a deletion and runs it: both must tell of the same points. */
async function deleted(name: string, retention: object): Promise<{ removed: number; left: number[] }> {
  const body = deletion(name, retention);
  const preview = await tenant.call<Preview>(`${tenant.tenantId}/jobs/preview`, body);
  const jobId = await tenant.job(body);
  await approve(jobId);
  const run = await tenant.finish(jobId);
  expect(run).toMatchObject({ status: 'successful', code: null, removed: preview.pointsToDelete });
  expect(run.result).toMatchObject({ removed: preview.pointsToDelete });
  return { removed: run.removed, left: await pointsOf(sourceId) };
}

const sinceMs = (iso: string): number => clock.nowMs() - Date.parse(iso);
const DAY_MS = 86_400_000;

test('what the location keeps for a number of days no job gives up', async () => {
  await testing.asSuperuser('update locations set retain_days = 36500 where location_id = $1', [tenant.locationId]);
  expect(await deleted('Newest alone', { mode: 'count', count: 1 })).toEqual({ removed: 0, left: [1, 2, 3, 4, 5, 6, 7, 8] });
  await testing.asSuperuser('update locations set retain_days = 0 where location_id = $1', [tenant.locationId]);
});

test('grandfather, father and son keep the last point of each day, month and year', async () => {
  expect(await pointsOf(sourceId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await deleted('Generations', { mode: 'gfs', daily: 3, weekly: 0, monthly: 3, yearly: 3 })).toEqual({
    removed: 3,
    left: [2, 4, 6, 7, 8],
  });
});

test('a number of days gives up what is older, for mail and nothing else of the location', async () => {
  const files = await tenant.finish(await tenant.job({ type: 'backup', workload: 'onedrive', name: 'Files', source: everyone }));
  expect(files.status).toBe('successful');
  const drives = `from catalog_points where source_id in (select source_id from catalog_sources
    join resources using (organisation_id, realm, resource_id) where workload = 'onedrive')`;
  // An older point of each drive, which a deletion of files would take.
  await testing.asSuperuser(`insert into catalog_points (organisation_id, realm, source_id, sequence, run_id, committed_at)
    select organisation_id, realm, source_id, 0, 'older', '2015-01-01' ${drives}`);
  const before = await testing.asSuperuser(`select source_id, sequence ${drives} order by 1, 2`);
  expect(before.length).toBeGreaterThan(1);
  const days = Math.floor(sinceMs('2020-12-31T00:00:00Z') / DAY_MS);
  expect(await deleted('Days', { mode: 'days', days })).toEqual({ removed: 1, left: [4, 6, 7, 8] });
  expect(await testing.asSuperuser(`select source_id, sequence ${drives} order by 1, 2`)).toEqual(before);
  await testing.asSuperuser(`delete ${drives} and sequence = 0`);
});

test('a hold wins over the rule, in the preview and in the run', async () => {
  // No point was made in it: what was there then is in the point before, what came then in the one after.
  const period = { name: 'Lawsuit', reason: 'Court order', from: '2021-04-05T23:00:00.000Z', to: '2021-04-06T01:00:00.000Z' };
  await tenant.call(`${tenant.tenantId}/holds`, period);
  const preview = await tenant.call<Preview>(`${tenant.tenantId}/jobs/preview`, deletion('Under hold', { mode: 'count', count: 2 }));
  expect(preview).toMatchObject({ pointsToDelete: 1, pointsHeld: 1 });
  expect(await deleted('Under hold', { mode: 'count', count: 2 })).toEqual({ removed: 1, left: [6, 7, 8] });
  await testing.asSuperuser('update holds set released_at = now()');
});

test('a number of points keeps the newest ones, and what is left is whole and comes back', async () => {
  expect(await deleted('Count', { mode: 'count', count: 2 })).toEqual({ removed: 1, left: [7, 8] });
  expect(await deleted('Again', { mode: 'count', count: 2 })).toEqual({ removed: 0, left: [7, 8] });
  const verified = await tenant.finish(await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 }));
  expect(verified).toMatchObject({ status: 'successful', result: { deviations: 0, complete: true } });

  const truth = atPoint.get(7) ?? [];
  expect(await recorded(7)).toEqual(sorted(truth, 'sha256'));
  const restore = { sourceId, sequence: 7, items: 'all', target: { kind: 'folder', folder: 'Brought back' } };
  const run = await tenant.finish(await tenant.job({ type: 'restore', name: 'Restore', restore }));
  expect(run).toMatchObject({ status: 'successful', errors: 0 });
  expect(sorted(await messages('Brought back'), 'id')).toEqual(sorted(truth, 'id'));
});
