import { jobBody } from '@holdfast/contract/jobs';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { createFilesystemBlobStore, withFaults, type BlobStore } from '@holdfast/vault';
import { AppError } from '@holdfast/foundation/errors';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStorageOutages } from '../storage/index.ts';
import { createJobsStore } from '../features/jobs/index.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { backupHandlerOver } from '../testing/backup-ground.ts';
import { aGround, testIds as ids, type Ground } from '../testing/rows.ts';
import { createRunWorker } from './run-worker.ts';

/** The storage goes away and comes back under runs. */
const { database } = testDatabase(import.meta.url);
const sent = { send: async () => true };
const unavailable = new AppError('vault.storage-unavailable', { message: 'Nobody answers.' });
let folder = '';
let simulator: Simulator;
let ground: Ground;
const away = { now: false, fromPut: Infinity };
let store: BlobStore;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-outage-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  ground = await aGround(database);
  Object.assign(away, { now: false, fromPut: Infinity });
  let puts = 0;
  store = withFaults(createFilesystemBlobStore({ root: folder, sync: false }), (operation) => {
    if (operation === 'put' && (puts += 1) === away.fromPut) away.now = true;
    return away.now ? { before: unavailable } : undefined;
  });
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

interface Begun {
  readonly runId: string;
  readonly work: Promise<void>;
  stage(): Promise<string | undefined>;
  readonly stopping: AbortController;
}

async function begin(): Promise<Begun> {
  const { scope, tenantId, locationId } = ground;
  const runs = createRunsStore({ database, queue: sent, clock, ids });
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
    await createJobsStore(database).insert(tx, {
      jobId,
      tenantId,
      body,
      nextRunAt: null,
      creator: 'test',
      createdBy: null,
      at: new Date(),
    });
    const run = { tenantId, jobId, jobName: 'Mail', type: 'backup', workload: 'exchange', locationId, body, trigger: 'manual' } as const;
    return runs.enqueue(tx, scope, { ...run, startedBy: 'test' });
  });
  const runId = queued?.runId ?? '';
  const outages = createStorageOutages();
  const backup = backupHandlerOver({ database, simulator, folder, store, outages });
  const worker = createRunWorker({ runs, accounts, outages, handlers: { backup }, worker: 'test', clock, logger });
  const stopping = new AbortController();
  const work = worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: stopping.signal });
  work.catch(() => undefined);
  const views = createRunsViews(database);
  return { runId, work, stopping, stage: async () => (await views.get(scope, tenantId, runId))?.stage };
}

async function waits(run: Begun): Promise<void> {
  await vi.waitFor(async () => expect(await run.stage()).toBe('waitingForStorage'), { timeout: 30_000, interval: 50 });
}

async function endsWell({ runId, work }: Begun): Promise<void> {
  await work;
  const report = await createRunsViews(database).get(ground.scope, ground.tenantId, runId);
  expect(report).toMatchObject({ status: 'successful', stage: 'finished', code: null });
  expect(report?.counts.added).toBeGreaterThan(10);
}

test('a run whose storage goes away says that it waits, and ends as if nothing had been', async () => {
  away.fromPut = 6;
  const run = await begin();
  await waits(run);
  away.now = false;
  await endsWell(run);
}, 60_000);

test('a run that begins while the storage is away waits, too', async () => {
  away.now = true;
  const run = await begin();
  await waits(run);
  away.now = false;
  await endsWell(run);
}, 60_000);

test('a run that waits for its storage hands itself on when the process stops', async () => {
  away.now = true;
  const run = await begin();
  await waits(run);
  run.stopping.abort(new Error('This process is stopping.'));
  await expect(run.work).rejects.toThrow('runs.handed-on');
}, 60_000);
