import { completeBody, jobBody } from '@holdfast/contract/jobs';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { secureRandom as random } from '@holdfast/foundation/random';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { createFilesystemBlobStore, withFaults } from '@holdfast/vault';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createAssuranceStore,
  createDeletionHandler,
  createDrillHandler,
  createVaultMemoryStore,
  createVerifyHandler,
  createWitnessFolder,
} from '../features/assurance/index.ts';
import { createResourcesStore, createStorageOutages } from '../storage/index.ts';
import { createJobsStore } from '../features/jobs/index.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { createRestoreHandler, createRestoreViews, createRunLinesStore } from '../features/restore/index.ts';
import { backupHandlerOver, reachSimulated } from '../testing/backup-ground.ts';
import { aGround, aSealing, testIds as ids, type Ground } from '../testing/rows.ts';
import { createRunWorker } from './run-worker.ts';

/** Microsoft 365 and the storage are away under the runs that prove what backups have kept. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
/** The waits of minutes between requests pass in seconds. */
const HURRY = 100;
const graphClock: Clock = {
  ...clock,
  monotonicMs: () => clock.monotonicMs() * HURRY,
  sleep: (ms, signal) => clock.sleep(ms / HURRY, signal),
};
const source = { everyone: true, options: { calendars: false, contacts: false, tasks: false } };
const away = { storage: false };
let folder = '';
let simulator: Simulator;
let ground: Ground;
let sourceId = '';
let worker: ReturnType<typeof createRunWorker>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-outage-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  ground = await aGround(database);
  const store = withFaults(createFilesystemBlobStore({ root: folder, sync: false }), () =>
    away.storage ? { before: new AppError('vault.storage-unavailable', { message: 'Nobody answers.' }) } : undefined,
  );
  const outages = createStorageOutages();
  const reach = { database, simulator, folder, store, outages, graphClock };
  const accounts = createRunAccountsStore({ database, clock });
  const lines = createRunLinesStore({ database, sealing: aSealing(database) });
  const parts = { ...reachSimulated(reach), accounts, lines, store: createAssuranceStore(database), clock, random, logger };
  const memory = createVaultMemoryStore(database, { record: async () => undefined });
  const handlers = {
    backup: backupHandlerOver(reach),
    drill: createDrillHandler({ ...parts, resources: createResourcesStore({ database, ids }) }),
    restore: createRestoreHandler({ ...parts, views: createRestoreViews(database) }),
    verify: createVerifyHandler({ ...parts, memory, witnesses: createWitnessFolder({ folder: undefined, logger }) }),
    deletion: createDeletionHandler({
      ...parts,
      keptOn: async () => ({ holds: [], minimums: [] }),
      awaitedIn: async () => async () => [],
    }),
  };
  const runs = createRunsStore({ database, queue: { send: async () => true }, clock, ids });
  worker = createRunWorker({ runs, accounts, outages, handlers, worker: 'test', clock, logger });
  const backup = await begin({ type: 'backup', workload: 'exchange', schedule: { mode: 'disabled' }, source });
  await backup.work;
  const [kept] = await testing.asSuperuser('select source_id from catalog_sources limit 1');
  sourceId = String(kept?.['source_id']);
}, 120_000);
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

async function begin(wanted: object) {
  const { scope, tenantId, locationId } = ground;
  const runs = createRunsStore({ database, queue: { send: async () => true }, clock, ids });
  const jobId = ids.uuid();
  const name = `Proof ${jobId}`;
  const body = completeBody(jobBody.parse({ name, locationId, workload: 'exchange', schedule: { mode: 'disabled' }, ...wanted }));
  const queued = await database.within(scope, async (tx) => {
    const job = { jobId, tenantId, body, nextRunAt: null, creator: 'test', createdBy: null, at: new Date() };
    await createJobsStore(database).insert(tx, job);
    const run = { tenantId, jobId, jobName: name, type: body.type, workload: 'exchange', locationId, body, trigger: 'manual' } as const;
    return runs.enqueue(tx, scope, { ...run, startedBy: 'test' });
  });
  const runId = queued?.runId ?? '';
  const work = worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: new AbortController().signal });
  work.catch(() => undefined);
  return { work, report: () => createRunsViews(database).get(scope, tenantId, runId) };
}

const rehearsal = (): object => ({ type: 'restore', restore: { sourceId, items: 'all', target: { kind: 'rehearsal' } } });

const microsoft = {
  stage: 'waitingForMicrosoft',
  awaited: 'microsoft' as const,
  goAway: () => simulator.control.setFaults([{ match: {}, do: 'status', status: 503, code: 'generalException' }]),
  comeBack: () => simulator.control.setFaults([]),
};
const storage = {
  stage: 'waitingForStorage',
  awaited: 'storage' as const,
  goAway: () => void (away.storage = true),
  comeBack: () => void (away.storage = false),
};
function aGroup(): { readonly id: string; readonly name: string } {
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const [group] = directory?.groups() ?? [];
  return { id: group?.id ?? '', name: 'Everybody here' };
}
const drill = (): object => ({ type: 'drill', source, samples: 4 });
const verification = (): object => ({ type: 'verify', budgetPercent: 100 });
const deletion = (): object => ({ type: 'deletion', source: { groups: [aGroup()] }, retention: { mode: 'days', days: 30 } });

test.each([
  { name: 'drill', what: microsoft, place: 'Microsoft 365', body: drill },
  { name: 'rehearsal', what: microsoft, place: 'Microsoft 365', body: rehearsal },
  { name: 'deletion', what: microsoft, place: 'Microsoft 365', body: deletion },
  { name: 'drill', what: storage, place: 'the storage', body: drill },
  { name: 'rehearsal', what: storage, place: 'the storage', body: rehearsal },
  { name: 'verification', what: storage, place: 'the storage', body: verification },
])('a $name waits for $place, says so, and succeeds when it is back', async ({ what, body }) => {
  what.goAway();
  try {
    const run = await begin(body());
    await vi.waitFor(async () => expect(await run.report()).toMatchObject({ stage: what.stage, waiting: {} }), { timeout: 30_000 });
    what.comeBack();
    await run.work;
    expect(await run.report()).toMatchObject({ status: 'successful', stage: 'finished', waiting: null });
    expect((await run.report())?.stages.map(({ stage }) => stage)).toContain(what.stage);
    expect((await run.report())?.waited[what.awaited]).toBeGreaterThan(0);
  } finally {
    what.comeBack();
  }
});
