import { testDatabase } from '@holdfast/database/testing/test-database';
import type { RestoreLine } from '@holdfast/engine';
import { beforeAll, expect, test } from 'vitest';
import { aGround, testIds, type Ground } from '../../testing/rows.ts';
import { createRunLinesStore } from './run-lines.store.ts';

const { database } = testDatabase(import.meta.url);
const lines = createRunLinesStore(database);
let ground: Ground;

beforeAll(async () => {
  ground = await aGround(database);
});

async function aRun(): Promise<string> {
  const runId = testIds.uuid();
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('runs')
      .values({
        run_id: runId,
        tenant_id: ground.tenantId,
        number: 1,
        job_id: null,
        job_name: 'Restore',
        type: 'restore',
        workload: 'exchange',
        location_id: ground.locationId,
        body: '{}',
        status: 'running',
        trigger: 'manual',
        started_by: null,
        total: null,
        queued_at: new Date(),
        ended_at: null,
        code: null,
        worker: null,
      })
      .execute(),
  );
  return runId;
}

function aLine(key: string, outcome: RestoreLine['outcome']): RestoreLine {
  return { key, kind: 'message', path: `Inbox/${key}`, outcome, differences: [] };
}

test('a run that is taken up again knows what is done; what failed is tried and told again', async () => {
  const runId = await aRun();
  const report = lines.reportOf(ground.scope, runId, 1);
  await report.line(aLine('a', 'restored'));
  await report.line(aLine('b', 'failed'));
  await report.line(aLine('c', 'skipped'));
  const done = await lines.resume(ground.scope, runId);
  expect(Object.fromEntries(done)).toEqual({ a: 'restored', c: 'skipped' });
  const again = lines.reportOf(ground.scope, runId);
  await again.line(aLine('b', 'restored'));
  expect([...(await lines.resume(ground.scope, runId)).keys()], 'held until it is full or flushed').toEqual(['a', 'c']);
  await again.flush();
  expect(Object.fromEntries(await lines.resume(ground.scope, runId))).toEqual({ a: 'restored', b: 'restored', c: 'skipped' });
});
