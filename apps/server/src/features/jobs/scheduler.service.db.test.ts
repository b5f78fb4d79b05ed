import { defaultBackupSettings } from '@holdfast/contract/configuration';
import { jobBody, type JobBody } from '@holdfast/contract/jobs';
import type { Schedule } from '@holdfast/contract/jobs/schedule';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, test } from 'vitest';
import { aGround, testIds as ids, type Ground } from '../../testing/rows.ts';
import { createRunsStore } from '../../runs/index.ts';
import { createDueJobsStore } from './due-jobs.store.ts';
import { createJobsStore } from './jobs.store.ts';
import { createScheduler, type Scheduler } from './scheduler.service.ts';

const { database } = testDatabase(import.meta.url);
const sent: string[] = [];
const queue = {
  send: async (_name: string, task: { readonly key: string }) => {
    sent.push(task.key);
    return true;
  },
};

function aScheduler(nowMs?: () => number): Scheduler {
  const clock = nowMs ? { ...createFakeClock(), nowMs } : systemClock;
  const runs = createRunsStore({ database, queue, clock, ids });
  const store = createDueJobsStore(database);
  const timed = nowMs
    ? {
        ...store,
        due: async (limit: number) => ({ ...(await dueAt(limit, nowMs())), nowMs: nowMs() }),
        upcoming: async () => ({ nowMs: nowMs(), jobs: [] }),
      }
    : store;
  return createScheduler({ store: timed, runs, clock, logger: silentLogger });
}

/** The one query across organisations, by the time of a test instead of the database's. */
async function dueAt(limit: number, nowMs: number) {
  const rows = await database.acrossOrganisations((tx) =>
    tx.selectFrom('jobs').select(['organisation_id', 'realm', 'job_id']).where('next_run_at', '<=', new Date(nowMs)).limit(limit).execute(),
  );
  return {
    jobs: rows.map((row) => ({
      scope: { organisationId: row.organisation_id as Ground['scope']['organisationId'], realm: row.realm },
      jobId: row.job_id,
    })),
  };
}

function aJob(ground: Ground, schedule: Schedule, at: Date, nextRunAt: Date): Promise<string> {
  return aJobOf(ground, { type: 'verify', schedule }, { at, nextRunAt });
}

async function aJobOf(ground: Ground, kind: object, { at, nextRunAt }: { at: Date; nextRunAt: Date }): Promise<string> {
  const { scope, tenantId, locationId } = ground;
  const jobId = ids.uuid();
  const body: JobBody = jobBody.parse({ ...kind, name: `Job ${jobId.slice(-6)}`, workload: 'exchange', locationId });
  await database.within(scope, (tx) =>
    createJobsStore(database).insert(tx, { jobId, tenantId, body, nextRunAt, creator: 'test', createdBy: null, at }),
  );
  return jobId;
}

function runsOf(ground: Ground, jobId: string) {
  return database.within(ground.scope, (tx) =>
    tx.selectFrom('runs').select(['status', 'trigger', 'due_at', 'code']).where('job_id', '=', jobId).orderBy('number').execute(),
  );
}

function endRuns(ground: Ground): Promise<unknown> {
  return database.within(ground.scope, (tx) =>
    tx.updateTable('runs').set({ status: 'successful', ended_at: new Date() }).where('status', '=', 'pending').execute(),
  );
}

test('two schedulers over fourteen days with both clock changes and wrong clocks start each occurrence once', async () => {
  for (const [from, expected] of [
    ['2026-10-18T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['2027-03-21T12:00:00Z', '2027-03-28T01:00:00.000Z'],
  ] as const) {
    const ground = await aGround(database);
    let nowMs = Date.parse(from);
    const start = new Date(nowMs);
    const schedule: Schedule = { mode: 'daily', time: '02:30', timeZone: 'Europe/Berlin' };
    // One clock is seven minutes ahead; the other is set back by two hours on the fifth day, and right again an hour later.
    let wrongByMs = 0;
    const [first, second] = [aScheduler(() => nowMs + wrongByMs), aScheduler(() => nowMs + 7 * 60_000)];
    const jobId = await aJob(ground, schedule, start, new Date(nowMs));
    for (let turn = 0; turn < 14 * 24; turn += 1) {
      nowMs += 60 * 60_000;
      wrongByMs = turn === 110 ? -2 * 60 * 60_000 : 0;
      await Promise.all([first.tick(), second.tick()]);
      await endRuns(ground);
    }
    const runs = await runsOf(ground, jobId);
    const due = runs.map((run) => run.due_at?.toISOString());
    expect(due).toHaveLength(14);
    expect(new Set(due).size).toBe(14);
    expect(due).toContain(expected);
    expect(runs.every((run) => run.status === 'successful')).toBe(true);
  }
});

test('while the run before goes on, an occurrence is recorded as skipped and says so', async () => {
  const ground = await aGround(database);
  let nowMs = Date.parse('2026-06-01T00:00:00Z');
  const scheduler = aScheduler(() => nowMs);
  const jobId = await aJob(ground, { mode: 'interval', everyMinutes: 10 }, new Date(nowMs), new Date(nowMs + 600_000));
  for (let turn = 0; turn < 3; turn += 1) {
    nowMs += 600_000;
    await scheduler.tick();
  }
  expect((await runsOf(ground, jobId)).map((run) => [run.status, run.code])).toEqual([
    ['pending', null],
    ['skipped', 'jobs.previous-running'],
    ['skipped', 'jobs.previous-running'],
  ]);
});

test('after a downtime a job runs once, and what was missed is recorded', async () => {
  const ground = await aGround(database);
  const start = Date.parse('2026-06-01T00:00:00Z');
  const jobId = await aJob(ground, { mode: 'interval', everyMinutes: 60 }, new Date(start), new Date(start + 3_600_000));
  await aScheduler(() => start + 5.5 * 3_600_000).tick();
  expect((await runsOf(ground, jobId)).map((run) => run.trigger)).toEqual(['catchUp']);
  const outcomes = await database.within(ground.scope, (tx) =>
    tx.selectFrom('job_occurrences').select('outcome').where('job_id', '=', jobId).execute(),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'missed')).toHaveLength(4);
});

test('a date runs once and is never due again', async () => {
  const ground = await aGround(database);
  const at = new Date(Date.now() - 1_000);
  const schedule: Schedule = { mode: 'date', date: at.toISOString().slice(0, 10), time: at.toISOString().slice(11, 16), timeZone: 'UTC' };
  const jobId = await aJob(ground, schedule, new Date(at.getTime() - 86_400_000), new Date(Math.floor(at.getTime() / 60_000) * 60_000));
  const scheduler = aScheduler();
  await scheduler.tick();
  await endRuns(ground);
  await scheduler.tick();
  expect(await runsOf(ground, jobId)).toHaveLength(1);
});

test('a deletion job that is due before anybody has approved it is recorded as skipped, with the reason', async () => {
  const ground = await aGround(database);
  const at = new Date(Date.now() - 7_200_000);
  const schedule = { mode: 'interval', everyMinutes: 60 };
  const deletion = { type: 'deletion', source: { everyone: true }, retention: { mode: 'days', days: 1 }, schedule };
  const jobId = await aJobOf(ground, deletion, { at, nextRunAt: new Date(at.getTime() + 3_600_000) });
  expect(await aScheduler().tick()).toMatchObject({ started: 0, skipped: 1 });
  const runs = await runsOf(ground, jobId);
  expect(runs).toMatchObject([{ status: 'skipped', code: 'jobs.approval-needed' }]);
});

test('a due job of a workload that is turned off is recorded as skipped, with the reason', async () => {
  const ground = await aGround(database);
  const settings = { ...defaultBackupSettings, exchange: { ...defaultBackupSettings.exchange, enabled: false } };
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('backup_configurations')
      .values({ tenant_id: ground.tenantId, settings: JSON.stringify(settings) })
      .execute(),
  );
  const at = new Date(Date.now() - 7_200_000);
  const backup = { type: 'backup', source: { everyone: true }, schedule: { mode: 'interval', everyMinutes: 60 } };
  const jobId = await aJobOf(ground, backup, { at, nextRunAt: new Date(at.getTime() + 3_600_000) });
  expect(await aScheduler().tick()).toMatchObject({ started: 0, skipped: 1 });
  expect(await runsOf(ground, jobId)).toMatchObject([{ status: 'skipped', code: 'configuration.workload-off' }]);
});

test.each([
  ['daily', { mode: 'daily', time: '02:30', timeZone: 'Europe/Berlin' }],
  ['every hour', { mode: 'interval', everyMinutes: 60 }],
] as const)('a clock that was a year ahead for a while does not put off a job: %s', async (_name, schedule) => {
  const ground = await aGround(database);
  const aheadMs = 365 * 86_400_000;
  const jobId = await aJob(ground, schedule, new Date(), new Date(Date.now() + 3_600_000));
  await aScheduler(() => Date.now() + aheadMs).tick();
  await endRuns(ground);
  expect(await runsOf(ground, jobId)).toHaveLength(1);
  await aScheduler().tick();
  const next = await database.within(ground.scope, (tx) =>
    tx.selectFrom('jobs').select('next_run_at').where('job_id', '=', jobId).executeTakeFirst(),
  );
  expect(next?.next_run_at?.getTime()).toBeLessThan(Date.now() + 26 * 3_600_000);
  await aScheduler(() => Date.now() + 26 * 3_600_000).tick();
  expect(await runsOf(ground, jobId)).toHaveLength(2);
});
