import { jobBody } from '@holdfast/contract/jobs';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock, type Clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJobsStore } from '../features/jobs/index.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { backupHandlerOver } from '../testing/backup-ground.ts';
import { lookUpLocally } from '../testing/names.ts';
import { aGround, testIds as ids, type Ground } from '../testing/rows.ts';
import { createRunWorker } from './run-worker.ts';

/** Microsoft 365 has faults under runs. */
const { database } = testDatabase(import.meta.url);
/** The waits of minutes between requests pass in seconds. */
const HURRY = 100;
const graphClock: Clock = {
  ...clock,
  monotonicMs: () => clock.monotonicMs() * HURRY,
  sleep: (ms, signal) => clock.sleep(ms / HURRY, signal),
};
let folder = '';
let simulator: Simulator;
let ground: Ground;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-outage-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  ground = await aGround(database);
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

async function begin(service = simulator) {
  const { scope, tenantId, locationId } = ground;
  const runs = createRunsStore({ database, queue: { send: async () => true }, clock, ids });
  const accounts = createRunAccountsStore({ database, clock });
  const source = { everyone: true, options: { calendars: false, contacts: false, tasks: false } };
  const body = jobBody.parse({
    type: 'backup',
    name: 'Mail',
    workload: 'exchange',
    schedule: { mode: 'afterCreation' },
    locationId,
    source,
  });
  const jobId = ids.uuid();
  const queued = await database.within(scope, async (tx) => {
    const job = { jobId, tenantId, body, nextRunAt: null, creator: 'test', createdBy: null, at: new Date() };
    await createJobsStore(database).insert(tx, job);
    const run = { tenantId, jobId, jobName: 'Mail', type: 'backup', workload: 'exchange', locationId, body, trigger: 'manual' } as const;
    return runs.enqueue(tx, scope, { ...run, startedBy: 'test' });
  });
  const runId = queued?.runId ?? '';
  const backup = backupHandlerOver({ database, simulator: service, folder, graphClock });
  const worker = createRunWorker({ runs, accounts, handlers: { backup }, worker: 'test', clock, logger });
  const work = worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: new AbortController().signal });
  work.catch(() => undefined);
  const views = createRunsViews(database);
  return {
    work,
    report: () => views.get(scope, tenantId, runId),
    accounts: async () => (await views.accounts(scope, runId, { limit: 100 })).items,
  };
}

test('a run says that Microsoft 365 is away, with its error and since when, and ends as if nothing had been', async () => {
  const since = clock.nowMs();
  simulator.control.setFaults([{ match: {}, do: 'status', status: 503, code: 'generalException' }]);
  const run = await begin();
  await vi.waitFor(async () => expect(await run.report()).toMatchObject({ stage: 'waitingForMicrosoft' }), { timeout: 30_000 });
  const waiting = (await run.report())?.waiting;
  expect(waiting?.code).toBe('graph.service-fault');
  expect(Date.parse(waiting?.since ?? '')).toBeGreaterThanOrEqual(since);
  simulator.control.setFaults([]);
  await run.work;
  expect(await run.report()).toMatchObject({ status: 'successful', stage: 'finished', waiting: null });
  expect((await run.report())?.stages.map(({ stage }) => stage)).toContain('waitingForMicrosoft');
}, 60_000);

test('a mailbox that answers 500 for good is its own error: the others are read, and the run waits for nobody', async () => {
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const bad = directory?.users().find((user) => user.hasMailbox && user.kind === 'member');
  simulator.control.setFaults([
    { match: { user: bad?.id ?? '', path: '*mailFolders*' }, do: 'status', status: 500, code: 'generalException' },
  ]);
  const run = await begin();
  await run.work;
  expect(await run.report()).toMatchObject({ status: 'defective', waiting: null });
  expect((await run.report())?.stages.map(({ stage }) => stage)).not.toContain('waitingForMicrosoft');
  const accounts = await run.accounts();
  const others = accounts.filter(({ address }) => address !== bad?.userPrincipalName);
  expect(accounts.find(({ address }) => address === bad?.userPrincipalName)?.status).not.toBe('successful');
  expect(others.length).toBeGreaterThan(1);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['successful']));
}, 60_000);

test('names of Microsoft 365 that cannot be looked up are waited for, and the run says why', async () => {
  const names = lookUpLocally('localhost');
  names.areLost = true;
  const atName = (address: string): string => address.replace('127.0.0.1', 'localhost');
  const run = await begin({ ...simulator, graph: atName(simulator.graph), login: atName(simulator.login) });
  await vi.waitFor(async () => expect(await run.report()).toMatchObject({ stage: 'waitingForMicrosoft' }), { timeout: 30_000 });
  expect((await run.report())?.waiting).toMatchObject({ code: 'graph.network' });
  names.areLost = false;
  await run.work;
  expect(await run.report()).toMatchObject({ status: 'successful', stage: 'finished', waiting: null });
}, 60_000);
