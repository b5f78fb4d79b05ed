import { completeBody, jobBody } from '@holdfast/contract/jobs';
import type { Database } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { createFilesystemBlobStore, type BlobStore } from '@holdfast/vault';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAssuranceStore, createVaultMemoryStore, createVerifyHandler, createWitnessFolder } from '../features/assurance/index.ts';
import { createJobsStore } from '../features/jobs/index.ts';
import { createStorageOutages } from '../storage/index.ts';
import { backupHandlerOver, reachSimulated } from '../testing/backup-ground.ts';
import { aGround, testIds as ids, type Ground } from '../testing/rows.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { createRunWorker } from './run-worker.ts';

/** A disk and a database that answer, but late: nothing is taken for an outage, nothing is lost. */
const { database } = testDatabase(import.meta.url);
const LATE_MS = 25;
const late = async <T>(work: () => Promise<T>): Promise<T> => clock.sleep(LATE_MS).then(work);
let folder = '';
let simulator: Simulator;
let ground: Ground;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-slow-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  ground = await aGround(database);
});
afterEach(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

function slowDisk(): BlobStore {
  const store = createFilesystemBlobStore({ root: folder, sync: false });
  return {
    ...store,
    fileOf: undefined,
    put: (...given) => late(() => store.put(...given)),
    get: (...given) => late(() => store.get(...given)),
    stat: (...given) => late(() => store.stat(...given)),
    delete: (...given) => late(() => store.delete(...given)),
  };
}

function slowDatabase(): Database {
  return { ...database, within: (scope, work) => late(() => database.within(scope, work)) };
}

interface Parts {
  readonly store?: BlobStore;
  readonly database: Database;
}

/** Backs everybody's mail up and reads all of it back, over parts that are slow. */
async function backedUpAndVerified(parts: Parts) {
  const outages = createStorageOutages();
  const reach = { ...parts, simulator, folder, outages };
  const accounts = createRunAccountsStore({ database: parts.database, clock });
  const memory = createVaultMemoryStore(parts.database, { record: async () => undefined });
  const witnesses = createWitnessFolder({ folder: undefined, logger });
  const store = createAssuranceStore(parts.database);
  const handlers = {
    backup: backupHandlerOver(reach),
    verify: createVerifyHandler({ ...reachSimulated(reach), accounts, store, memory, witnesses, clock }),
  };
  const runs = createRunsStore({ database: parts.database, queue: { send: async () => true }, clock, ids });
  const worker = createRunWorker({ runs, accounts, outages, handlers, worker: 'test', clock, logger });
  const { scope, tenantId, locationId } = ground;
  const finish = async (wanted: object) => {
    const jobId = ids.uuid();
    const common = { name: `Job ${jobId}`, locationId, workload: 'exchange', schedule: { mode: 'disabled' } };
    const body = completeBody(jobBody.parse({ ...common, ...wanted }));
    const queued = await database.within(scope, async (tx) => {
      const job = { jobId, tenantId, body, nextRunAt: null, creator: 'test', createdBy: null, at: new Date() };
      await createJobsStore(database).insert(tx, job);
      const run = { tenantId, jobId, jobName: common.name, type: body.type, workload: 'exchange', locationId, body } as const;
      return runs.enqueue(tx, scope, { ...run, trigger: 'manual', startedBy: 'test' });
    });
    const runId = queued?.runId ?? '';
    await worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: new AbortController().signal });
    return createRunsViews(database).get(scope, tenantId, runId);
  };
  const source = { everyone: true, options: { calendars: false, contacts: false, tasks: false } };
  return [await finish({ type: 'backup', source }), await finish({ type: 'verify', budgetPercent: 100 })];
}

const patient = { status: 'successful', code: null, errors: 0, waited: { microsoft: 0, storage: 0, database: 0 } };

test.each([
  ['disk', () => ({ store: slowDisk(), database })],
  ['database', () => ({ database: slowDatabase() })],
])(
  'a slow %s is no outage: runs go on, wait for nothing, and what they stored verifies',
  async (_, parts) => {
    const [backup, verify] = await backedUpAndVerified(parts());
    expect(backup).toMatchObject(patient);
    expect(backup?.counts.added).toBeGreaterThan(0);
    expect(verify).toMatchObject(patient);
  },
  120_000,
);
