import { jobBody } from '@holdfast/contract/jobs';
import { createTaskQueue, type TaskQueue } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createJobsStore } from '../features/jobs/index.ts';
import { createRunAccountsStore, createRunsStore, createRunsViews } from './index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../testing/rows.ts';
import type { RunContext, RunHandler } from './handler.ts';
import { createRunWorker } from './run-worker.ts';

const { database } = testDatabase(import.meta.url);
const accounts = createRunAccountsStore({ database, clock });
const views = createRunsViews(database);
const queues: TaskQueue[] = [];
let ground: Ground;

beforeAll(async () => {
  ground = await aGround(database);
});
afterAll(async () => {
  for (const queue of queues) await queue.stop(500);
});

async function aWorker(name: string, verify: RunHandler) {
  const queue = await createTaskQueue({ database, logger, supervises: true });
  queues.push(queue);
  const runs = createRunsStore({ database, queue, clock, ids });
  await queue.work(
    'runs',
    { slots: 1, slotsPerOrganisation: 1 },
    createRunWorker({ runs, accounts, handlers: { verify }, worker: name, clock, logger }),
  );
  return { queue, runs };
}

async function aRun(runs: ReturnType<typeof createRunsStore>): Promise<string> {
  const { scope, tenantId, locationId } = ground;
  const jobId = ids.uuid();
  const body = jobBody.parse({
    type: 'verify',
    name: `Verify ${jobId.slice(-6)}`,
    workload: 'exchange',
    schedule: { mode: 'disabled' },
    locationId,
  });
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
    return runs.enqueue(tx, scope, {
      tenantId,
      jobId,
      jobName: body.name,
      type: 'verify',
      workload: 'exchange',
      locationId,
      body,
      trigger: 'manual',
      startedBy: null,
    });
  });
  return queued?.runId ?? '';
}

function stateOf(runId: string) {
  return views.get(ground.scope, ground.tenantId, runId);
}

/** Waits until somebody stops it, then tells why. */
const untilStopped = ({ signal }: RunContext): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

test('what a cancelled run was in the middle of or did not come to is cancelled with it', async () => {
  const { scope } = ground;
  const [begun, waiting] = [await aResource(database, ground), await aResource(database, ground)];
  const { queue, runs } = await aWorker('stopper', async (context) => {
    await accounts.begin(scope, context.run.runId, [begun, waiting]);
    await accounts.start(scope, context.run.runId, begun);
    return await untilStopped(context);
  });
  const runId = await aRun(runs);
  const states = async () => (await views.accounts(scope, runId, { limit: 10, sort: 'status' })).items.map((one) => one.status);
  await vi.waitFor(async () => expect(await states()).toEqual(['pending', 'running']), 10_000);
  await database.within(scope, (tx) => runs.requestCancel(tx, scope, runId));
  await vi.waitFor(async () => expect((await stateOf(runId))?.status).toBe('cancelled'), 5_000);
  expect(await states()).toEqual(['cancelled', 'cancelled']);
  await queue.stop(500);
});

test('a run is cancelled within seconds, and a worker that drains hands its run to another', async () => {
  const first = await aWorker('first', untilStopped);
  const cancelled = await aRun(first.runs);
  await vi.waitFor(async () => expect((await stateOf(cancelled))?.status).toBe('running'), 10_000);
  await database.within(ground.scope, (tx) => first.runs.requestCancel(tx, ground.scope, cancelled));
  await vi.waitFor(async () => expect((await stateOf(cancelled))?.status).toBe('cancelled'), 5_000);

  const handedOn = await aRun(first.runs);
  await vi.waitFor(async () => expect((await stateOf(handedOn))?.worker).toBe('first'), 10_000);
  const second = await aWorker('second', async () => ({ status: 'successful', code: null }));
  await first.queue.stop(2_000);
  await vi.waitFor(async () => expect(await stateOf(handedOn)).toMatchObject({ status: 'successful', worker: 'second' }), 30_000);
  await second.queue.stop(500);
});

test('what a worker that lost its run writes is refused', async () => {
  const { queue, runs } = await aWorker('third', untilStopped);
  const runId = await aRun(runs);
  await vi.waitFor(async () => expect((await stateOf(runId))?.status).toBe('running'), 10_000);
  const successor = await runs.claim(ground.scope, runId, 'successor');
  expect(successor?.isResumed).toBe(true);
  const older = { ...successor!, fence: successor!.fence - 1 };
  await expect(runs.end(ground.scope, older, { status: 'failed', code: null })).rejects.toMatchObject({ code: 'runs.lost' });
  await runs.end(ground.scope, successor!, { status: 'successful', code: null });
  expect((await stateOf(runId))?.status).toBe('successful');
  await queue.stop(1_000);
  expect((await stateOf(runId))?.status).toBe('successful');
});
