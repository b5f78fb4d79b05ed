import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultBackupSettings } from '@holdfast/contract/configuration';
import { jobBody, placeOf } from '@holdfast/contract/jobs';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { startSimulator } from '@holdfast/m365-simulator';
import { expect, onTestFinished, test } from 'vitest';
import { backupHandlerOver } from '../../testing/backup-ground.ts';
import { aGround, testIds as ids } from '../../testing/rows.ts';
import { createRunWorker } from '../../runs/run-worker.ts';
import { createJobsStore } from '../jobs/index.ts';
import { createRunAccountsStore, createRunsStore } from '../../runs/index.ts';

const { database } = testDatabase(import.meta.url);

test('a run that was queued before its workload was turned off reads nothing, and says why', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-workload-off-'));
  const simulator = await startSimulator({ recipes: ['tiny'], limits: 'off' });
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { scope, tenantId, locationId } = await aGround(database);
  const settings = { ...defaultBackupSettings, exchange: { ...defaultBackupSettings.exchange, enabled: false } };
  const runs = createRunsStore({ database, queue: { send: () => Promise.resolve(true) }, clock, ids });
  const handlers = { backup: backupHandlerOver({ database, simulator, folder, settings }) };
  const jobId = ids.uuid();
  const body = jobBody.parse({
    type: 'backup',
    workload: 'exchange',
    name: 'All mail',
    schedule: { mode: 'disabled' },
    locationId,
    source: { everyone: true },
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
    const { type, name: jobName } = body;
    const { workload } = placeOf(body);
    return runs.enqueue(tx, scope, { tenantId, jobId, jobName, type, workload, locationId, body, trigger: 'manual', startedBy: 'test' });
  });
  const runId = queued?.runId ?? '';
  const accounts = createRunAccountsStore({ database, clock });
  const work = createRunWorker({ runs, accounts, handlers, worker: 'test', clock, logger });
  const before = simulator.simulation.log.total;
  await work({ key: runId, attempt: 1, scope, payload: { runId }, signal: new AbortController().signal });
  const ended = await database.within(scope, (tx) =>
    tx.selectFrom('runs').select(['status', 'code', 'processed']).where('run_id', '=', runId).executeTakeFirst(),
  );
  expect(ended).toEqual({ status: 'failed', code: 'configuration.workload-off', processed: 0 });
  expect(simulator.simulation.log.list({ after: before }).filter(({ host }) => host === 'graph')).toEqual([]);
});
