import { completeBody, jobBody } from '@holdfast/contract/jobs';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock, type Clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { graphError } from '@holdfast/m365';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAssuranceStore, createDeletionHandler } from '../features/assurance/index.ts';
import type { TenantGraph } from '../features/backup/index.ts';
import { createJobsStore } from '../features/jobs/index.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { backupHandlerOver, reachSimulated } from '../testing/backup-ground.ts';
import { aGround, testIds as ids, type Ground } from '../testing/rows.ts';
import { act } from '../testing/simulated-tenant.ts';
import { createRunWorker } from './run-worker.ts';

/** Server and database on one machine whose clock is three years ahead: what is deleted by age must not go early. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const DAY_MS = 86_400_000;
const AHEAD_DAYS = 3 * 365;
const source = { everyone: true, options: { calendars: false, contacts: false, tasks: false } };
const machine = { aheadMs: 0, isCutOff: false };
const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + machine.aheadMs };
let folder = '';
let simulator: Simulator;
let ground: Ground;
let sourceId = '';
let worker: ReturnType<typeof createRunWorker>;

/** Sets the clock of the machine, and with it that of its database. */
async function setMachine(aheadDays: number): Promise<void> {
  machine.aheadMs = aheadDays * DAY_MS;
  await testing.asSuperuser(`create or replace function machine.now() returns timestamptz language sql stable
    as $$ select pg_catalog.now() + interval '${aheadDays} days' $$`);
}

async function run(wanted: object) {
  const { scope, tenantId, locationId } = ground;
  const runs = createRunsStore({ database, queue: { send: async () => true }, clock, ids });
  const jobId = ids.uuid();
  const name = `Job ${jobId}`;
  const body = completeBody(jobBody.parse({ name, locationId, workload: 'exchange', schedule: { mode: 'disabled' }, source, ...wanted }));
  const queued = await database.within(scope, async (tx) => {
    const job = { jobId, tenantId, body, nextRunAt: null, creator: 'test', createdBy: null, at: new Date() };
    await createJobsStore(database).insert(tx, job);
    const queuing = { tenantId, jobId, jobName: name, type: body.type, workload: 'exchange', locationId, body, trigger: 'manual' } as const;
    return runs.enqueue(tx, scope, { ...queuing, startedBy: 'test' });
  });
  const runId = queued?.runId ?? '';
  await worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: new AbortController().signal });
  return createRunsViews(database).get(scope, tenantId, runId);
}

const deletion = (retention: object) => run({ type: 'deletion', retention });

async function points(): Promise<number[]> {
  const rows = await testing.asSuperuser('select sequence::int from catalog_points where source_id = $1 order by 1', [sourceId]);
  return rows.map((row) => Number(row['sequence']));
}

/** Gives a mailbox four points: of 400, 100 and 10 days ago, and of now. */
async function grow(): Promise<void> {
  const backup = (): Promise<unknown> => run({ type: 'backup' });
  await backup();
  const [chosen] = await testing.asSuperuser(
    `select source_id, graph_id from catalog_sources join resources using (organisation_id, realm, resource_id)
     where kind = 'mailbox' and items > 0 order by items desc limit 1`,
  );
  sourceId = String(chosen?.['source_id']);
  for (const subject of ['second', 'third', 'fourth']) {
    act(simulator, 'mail.deliver', { user: String(chosen?.['graph_id']), subject });
    await backup();
  }
  for (const [index, days] of [400, 100, 10].entries())
    await testing.asSuperuser(
      `update catalog_points set committed_at = pg_catalog.now() - $1 * interval '1 day' where source_id = $2 and sequence = $3`,
      [days, sourceId, index + 1],
    );
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-clocks-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  // What is looked up before the functions of PostgreSQL itself.
  const [name] = await testing.asSuperuser('select current_database() as name');
  await testing.asSuperuser('create schema machine');
  await testing.asSuperuser('grant usage on schema machine to public');
  await setMachine(0);
  await testing.asSuperuser(`alter database ${String(name?.['name'])} set search_path = machine, pg_catalog, public`);
  await testing.asSuperuser(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  ground = await aGround(database);
  const reach = { database, simulator, folder };
  const reached = reachSimulated(reach);
  const graph: TenantGraph = {
    use: (scope, tenantId, work) =>
      reached.graph.use(scope, tenantId, (client) => {
        const cutOff = { serviceTime: () => Promise.reject(graphError('graph.network', { system: 'ENOTFOUND' })), with: () => cutOff };
        return work(machine.isCutOff ? (cutOff as unknown as typeof client) : client);
      }),
  };
  const accounts = createRunAccountsStore({ database, clock });
  const store = createAssuranceStore(database);
  const spared = { keptOn: async () => ({ holds: [], minimums: [] }), awaitedIn: async () => async () => [] };
  const handlers = {
    backup: backupHandlerOver(reach),
    deletion: createDeletionHandler({ ...reached, ...spared, graph, store, accounts, clock }),
  };
  const runs = createRunsStore({ database, queue: { send: async () => true }, clock, ids });
  worker = createRunWorker({ runs, accounts, handlers, worker: 'test', clock, logger });
  await grow();
}, 120_000);
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

test('a machine that is three years ahead deletes what is really too old, and nothing else', async () => {
  await setMachine(AHEAD_DAYS);
  const [told] = await testing.asSuperuser('select now() > pg_catalog.now() as ahead');
  expect(told).toEqual({ ahead: true });
  expect(await deletion({ mode: 'days', days: 300 })).toMatchObject({ status: 'successful', counts: { removed: 1 } });
  expect(await points()).toEqual([2, 3, 4]);
  expect(await deletion({ mode: 'days', days: 300 })).toMatchObject({ status: 'successful', counts: { removed: 0 } });
});

test('when Microsoft 365 does not say what time it is, nothing is deleted and the run says why', async () => {
  machine.isCutOff = true;
  expect(await deletion({ mode: 'days', days: 30 })).toMatchObject({ status: 'failed', code: 'runs.time-unattested' });
  expect(await points()).toEqual([2, 3, 4]);
  machine.isCutOff = false;
});

test('with the clock right again the rule takes what is due, and nothing else', async () => {
  await setMachine(0);
  expect(await deletion({ mode: 'days', days: 30 })).toMatchObject({ status: 'successful', counts: { removed: 1 } });
  expect(await points()).toEqual([3, 4]);
});
