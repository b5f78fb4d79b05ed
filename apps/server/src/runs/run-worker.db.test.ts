import { jobBody } from '@holdfast/contract/jobs';
import { createTaskQueue, type TaskQueue } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAuditInbox } from '../features/audit/index.ts';
import { createAssuranceStore, createVaultMemoryStore, createVerifyHandler, createWitnessFolder } from '../features/assurance/index.ts';
import { createJobsStore } from '../features/jobs/index.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { createRestoreHandler, createRestoreViews, createRunLinesStore } from '../features/restore/index.ts';
import { backupHandlerOver, reachSimulated } from '../testing/backup-ground.ts';
import { act } from '../testing/simulated-tenant.ts';
import { aGround, aSealing, testIds as ids, type Ground } from '../testing/rows.ts';
import type { RunOutcome } from './handler.ts';
import { createRunWorker } from './run-worker.ts';

const testing = testDatabase(import.meta.url);
const { database } = testing;
const clock = systemClock;
const logger = silentLogger;
let folder: string;
let simulator: Simulator;
let queue: TaskQueue;
let ground: Ground;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-run-worker-'));
  simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  queue = await createTaskQueue({ database, logger, supervises: true });
  ground = await aGround(database);
});
afterAll(async () => {
  await queue.stop(1_000);
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

const reach = () => reachSimulated({ database, simulator, folder });
const handler = () => backupHandlerOver({ database, simulator, folder });

interface Parts {
  readonly runs: ReturnType<typeof createRunsStore>;
  readonly accounts: ReturnType<typeof createRunAccountsStore>;
}

function createParts(to: Pick<TaskQueue, 'send'> = queue): Parts {
  return { runs: createRunsStore({ database, queue: to, clock, ids }), accounts: createRunAccountsStore({ database, clock }) };
}

function enqueueMailRun(parts: Parts, name: string): Promise<string> {
  const source = { everyone: true, options: { calendars: false, contacts: false, tasks: false } };
  return enqueue(parts, { type: 'backup', name, source });
}

async function enqueue(
  { runs }: Parts,
  given: { readonly type: 'backup' | 'restore' | 'verify'; readonly name: string } & Readonly<Record<string, unknown>>,
): Promise<string> {
  const { scope, tenantId, locationId } = ground;
  const body = jobBody.parse({ workload: 'exchange', schedule: { mode: 'afterCreation' }, locationId, ...given });
  const { name, type } = given;
  const jobId = ids.uuid();
  const store = createJobsStore(database);
  const queued = await database.within(scope, async (tx) => {
    await store.insert(tx, { jobId, tenantId, body, nextRunAt: null, creator: 'test', createdBy: null, at: new Date() });
    return runs.enqueue(tx, scope, {
      tenantId,
      jobId,
      jobName: name,
      type,
      workload: 'exchange',
      locationId,
      body,
      trigger: 'manual',
      startedBy: 'test',
    });
  });
  return queued?.runId ?? '';
}

function ended(runId: string): Promise<void> {
  const { scope, tenantId } = ground;
  const isEnded = async () => expect((await createRunsViews(database).get(scope, tenantId, runId))?.endedAt).not.toBeNull();
  return vi.waitFor(isEnded, { timeout: 60_000, interval: 200 });
}

async function graphIdOf(resourceId: string): Promise<string> {
  const [row] = await testing.asSuperuser('select graph_id from resources where resource_id = $1', [resourceId]);
  return String(row?.['graph_id']);
}

test('a run that is claimed while the process begins to stop is handed on at once', async () => {
  const { scope } = ground;
  const parts = createParts();
  const runId = await enqueueMailRun(parts, 'Stopping');
  const reasons: unknown[] = [];
  const waits = async ({ signal }: { readonly signal: AbortSignal }): Promise<never> => {
    if (!signal.aborted) await once(signal, 'abort');
    reasons.push(signal.reason);
    throw signal.reason as Error;
  };
  const worker = createRunWorker({ ...parts, handlers: { backup: waits }, worker: 'test', clock, logger });
  const stopping = AbortSignal.abort(new Error('This process is stopping.'));
  await expect(worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: stopping })).rejects.toThrow('runs.handed-on');
  expect(reasons).toHaveLength(1);
  const done = async (): Promise<RunOutcome> => ({ status: 'successful', code: null });
  const next = createRunWorker({ ...parts, handlers: { backup: done }, worker: 'another', clock, logger });
  await next({ key: runId, scope, payload: { runId }, attempt: 2, signal: new AbortController().signal });
  expect(await createRunsViews(database).get(scope, ground.tenantId, runId)).toMatchObject({ status: 'successful' });
});

test('a mail job goes from the queue over the vault and the catalog to its report', async () => {
  const { scope, tenantId } = ground;
  const parts = createParts();
  const worker = createRunWorker({ ...parts, handlers: { backup: handler() }, worker: 'test', clock, logger });
  await queue.work('runs', { slots: 1, slotsPerOrganisation: 1 }, worker);
  const runId = await enqueueMailRun(parts, 'Mail');
  await ended(runId);
  const views = createRunsViews(database);
  const problems = await views.problems(scope, runId, { limit: 50 });
  expect(problems.items).toEqual([]);
  const report = await views.get(scope, tenantId, runId);
  expect(report).toMatchObject({ status: 'successful', progress: 100, stage: 'finished', code: null });
  expect(report?.counts.added).toBeGreaterThan(10);
  const listed = await views.accounts(scope, runId, { limit: 50 });
  expect(listed.items.every((account) => account.status === 'successful' && account.items > 0)).toBe(true);
});

test.each([{ kind: 'download', format: 'mbox' }, { kind: 'original' }])(
  'a restore ($kind) that another worker takes up is of the point that was the newest when it began',
  async (target) => {
    const { scope, tenantId } = ground;
    const parts = createParts();
    const points = () =>
      testing.asSuperuser(
        'select source_id, resource_id, sequence from catalog_points join catalog_sources using (source_id) order by sequence desc',
      );
    const [before] = await points();
    const restore = { sourceId: String(before?.['source_id']), items: 'all', target };
    const runId = await enqueue(parts, { type: 'restore', name: `Back ${target.kind}`, restore });
    const ports = {
      ...reach(),
      views: createRestoreViews(database),
      lines: createRunLinesStore({ database, sealing: aSealing(database) }),
      accounts: parts.accounts,
    };
    const workerOf = (vaults: typeof ports.vaults) =>
      createRunWorker({
        ...parts,
        handlers: { restore: createRestoreHandler({ ...ports, vaults, clock, random: secureRandom, logger }) },
        worker: 'test',
        clock,
        logger,
      });
    const stopping = new AbortController();
    const stopsHere = (): Promise<never> => {
      stopping.abort();
      return Promise.reject(new Error('This process stops.'));
    };
    const task = { key: runId, scope, payload: { runId }, attempt: 1, signal: stopping.signal };
    await expect(workerOf({ ...ports.vaults, use: stopsHere })(task)).rejects.toThrow('runs.handed-on');

    act(simulator, 'mail.deliver', { user: await graphIdOf(String(before?.['resource_id'])), subject: 'Came while nobody restored' });
    await ended(await enqueueMailRun(parts, `Mail before ${target.kind}`));
    expect(Number((await points())[0]?.['sequence'])).toBeGreaterThan(Number(before?.['sequence']));

    await workerOf(ports.vaults)({ ...task, attempt: 2, signal: new AbortController().signal });
    expect(await createRunsViews(database).get(scope, tenantId, runId)).toMatchObject({ status: 'successful' });
    const [run] = await testing.asSuperuser('select result from runs where run_id = $1', [runId]);
    expect(run?.['result']).toMatchObject({ sequence: Number(before?.['sequence']) });
  },
);

test('a restore names its total, and the next estimate learns from it as no download teaches', async () => {
  const [run] = await testing.asSuperuser("select processed, total from runs where job_name = 'Back original'");
  expect(Number(run?.['processed'])).toBeGreaterThan(10);
  expect(run?.['total']).toBe(run?.['processed']);
  const measured = await createRestoreViews(database).measured(ground.scope, 'exchange');
  expect(measured).toEqual([
    { items: Number(run?.['processed']), bytes: expect.any(Number) as number, seconds: expect.any(Number) as number },
  ]);
  expect(await createRestoreViews(database).measured(ground.scope, 'onedrive')).toEqual([]);
});

test('a resource that fails as a whole is an error of its account and of its run', async () => {
  const { scope, tenantId } = ground;
  const parts = createParts();
  const [source] = await testing.asSuperuser('select source_id from catalog_sources limit 1');
  const restore = { sourceId: String(source?.['source_id']), items: 'all', target: { kind: 'original' } };
  const runId = await enqueue(parts, { type: 'restore', name: 'Fails', restore });
  const ports = {
    ...reach(),
    views: createRestoreViews(database),
    lines: createRunLinesStore({ database, sealing: aSealing(database) }),
    accounts: parts.accounts,
  };
  const vaults = { ...ports.vaults, use: () => Promise.reject(new AppError('vault.damaged')) };
  const handlers = { restore: createRestoreHandler({ ...ports, vaults, clock, random: secureRandom, logger }) };
  const worker = createRunWorker({ ...parts, handlers, worker: 'test', clock, logger });
  await worker({ key: runId, scope, payload: { runId }, attempt: 1, signal: new AbortController().signal });
  const views = createRunsViews(database);
  expect(await views.get(scope, tenantId, runId)).toMatchObject({ status: 'failed', code: 'vault.damaged', errors: 1 });
  const { items } = await views.accounts(scope, runId, { limit: 10 });
  expect(items).toMatchObject([{ status: 'failed', code: 'vault.damaged', errors: 1 }]);
});

test('a verify that dies goes on where it stood', async () => {
  const { scope, locationId, tenantId } = ground;
  // By hand: the worker of the queue would take it first.
  const parts = createParts({ send: () => Promise.resolve(true) });
  const store = createAssuranceStore(database);
  const runId = await enqueue(parts, { type: 'verify', name: 'Verify', budgetPercent: 100 });
  // What was read back is kept at once.
  let nowMs = 0;
  const hurried = { ...clock, monotonicMs: () => (nowMs += 60_000) };
  const verify = async (attempt: number, signal: AbortSignal, kept: typeof store): Promise<void> => {
    const handlers = {
      verify: createVerifyHandler({
        vaults: reach().vaults,
        accounts: parts.accounts,
        store: kept,
        memory: createVaultMemoryStore(database, createAuditInbox({ clock, ids })),
        witnesses: createWitnessFolder({ folder: undefined, logger }),
        clock: hurried,
      }),
    };
    const worker = createRunWorker({ ...parts, handlers, worker: 'test', clock, logger });
    await worker({ key: runId, scope, payload: { runId }, attempt, signal });
  };
  const dying = new AbortController();
  const lastWords: typeof store = {
    ...store,
    async noteVerified(...words) {
      if (dying.signal.aborted) throw new Error('This worker is dead.');
      await store.noteVerified(...words);
      dying.abort();
    },
  };
  await expect(verify(1, dying.signal, lastWords)).rejects.toThrow('runs.handed-on');
  const done = Object.keys((await store.verified(scope, locationId))?.verifiedAt ?? {});
  expect(done.length).toBeGreaterThan(0);

  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (file) => file.isFile() && file.parentPath.includes(`${path.sep}packs`),
  );
  const left = files.filter(({ name }) => !done.some((packId) => name.includes(packId)));
  expect(left).toHaveLength(files.length - done.length);
  const sizes = await Promise.all(left.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size));
  await verify(2, new AbortController().signal, store);
  expect(await createRunsViews(database).get(scope, tenantId, runId)).toMatchObject({ status: 'successful', code: null });
  const [run] = await testing.asSuperuser('select result from runs where run_id = $1', [runId]);
  expect(run?.['result']).toMatchObject({ complete: true, checkedBytes: sizes.reduce((sum, size) => sum + size, 0) });
});
