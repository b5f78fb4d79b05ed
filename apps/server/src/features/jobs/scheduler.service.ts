import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { RunsStore } from '../../runs/index.ts';
import type { DueJob, DueJobsStore } from './due-jobs.store.ts';
import { mayRunYet } from './jobs.policy.ts';
import { realignJobs } from './realign-jobs.ts';
import { newRunOf } from './new-run.ts';
import { whyNotReady } from './readiness.store.ts';
import type { Scope, Tx } from '@holdfast/database';
import type { StoredJob } from './jobs.store.ts';
import { dueOccurrences, nextOccurrence, type Occurrence } from './schedule.ts';

/** What one look at the clock did. */
export interface SchedulerReport {
  readonly started: number;
  readonly skipped: number;
  readonly missed: number;
}

export interface Scheduler {
  /** Queues what is due now, by the database's clock. Safe to call from many processes at once. */
  tick(): Promise<SchedulerReport>;
  /** Ticks until the signal. */
  run(signal: AbortSignal): Promise<void>;
}

export interface SchedulerOptions {
  readonly store: DueJobsStore;
  readonly runs: Pick<RunsStore, 'enqueue' | 'skip'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const TICK_MS = 2_000;
const BATCH = 100;
/** Looks for jobs that a wrong clock has put off when the process starts and every ten minutes. */
const REALIGN_EVERY = 300;
/** Occurrences that are recorded one by one after a downtime; older ones are not worth a row each. */
const RECORDED = 500;
/** Later than this, a run is a catch-up and not the occurrence itself. */
const ON_TIME_MS = 60_000;

/**
 * Finds what is due and queues it. An occurrence is recorded under its local time and zone, so two
 * schedulers never double it. After a downtime a job runs once, and what was missed is recorded.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, runs, clock, logger } = options;
  let ticks = 0;

  async function recordMissed(tx: Tx, jobId: string, occurrences: readonly Occurrence[]): Promise<number> {
    let missed = 0;
    for (const occurrence of occurrences) {
      if (await store.record(tx, jobId, { ...occurrence, outcome: 'missed' })) missed += 1;
    }
    return missed;
  }

  /** Queues the newest occurrence that is due, or records why not. */
  async function runOccurrence(tx: Tx, scope: Scope, job: StoredJob, due: { occurrence: Occurrence; isLate: boolean }): Promise<boolean> {
    const { occurrence, isLate } = due;
    const run = {
      ...newRunOf(job, { trigger: isLate ? 'catchUp' : 'schedule', startedBy: null, onBehalfOf: job.savedBy }),
      dueAt: new Date(occurrence.atMs),
    };
    const refusal = mayRunYet(job.approval) ? await whyNotReady(tx, job.tenantId, job.body) : 'jobs.approval-needed';
    const queued = refusal === undefined ? await runs.enqueue(tx, scope, run) : undefined;
    const { runId } = queued ?? (await runs.skip(tx, scope, run, refusal ?? 'jobs.previous-running'));
    await store.link(tx, job.jobId, occurrence.key, runId);
    return queued !== undefined;
  }

  function runDue(due: DueJob, nowMs: number): Promise<SchedulerReport> {
    const nothing = { started: 0, skipped: 0, missed: 0 };
    return store.within(due.scope, async (tx) => {
      const job = await store.lock(tx, due.jobId, nowMs);
      if (!job?.nextRunAt) return nothing;
      const { schedule } = job.body;
      const anchorMs = job.anchoredAt.getTime();
      const occurrences = dueOccurrences(schedule, { afterMs: job.nextRunAt.getTime() - 1, untilMs: nowMs, anchorMs }, RECORDED);
      const next = nextOccurrence(schedule, nowMs, anchorMs);
      await store.setNext(tx, job.jobId, next ? new Date(next.atMs) : null);
      const occurrence = occurrences.pop();
      if (!occurrence) return nothing;
      const missed = await recordMissed(tx, job.jobId, occurrences);
      if (!(await store.record(tx, job.jobId, { ...occurrence, outcome: 'run' }))) return { ...nothing, missed };
      const isLate = missed > 0 || nowMs - occurrence.atMs > ON_TIME_MS;
      const isStarted = await runOccurrence(tx, due.scope, job, { occurrence, isLate });
      return { started: isStarted ? 1 : 0, skipped: isStarted ? 0 : 1, missed };
    });
  }

  async function tick(): Promise<SchedulerReport> {
    if (ticks % REALIGN_EVERY === 0) await realignJobs(store, logger);
    ticks += 1;
    const total = { started: 0, skipped: 0, missed: 0 };
    const { nowMs, jobs } = await store.due(BATCH);
    for (const job of jobs) {
      try {
        const report = await runDue(job, nowMs);
        total.started += report.started;
        total.skipped += report.skipped;
        total.missed += report.missed;
      } catch (error) {
        logger.error({ err: error, jobId: job.jobId }, 'a due job could not be queued');
      }
    }
    return total;
  }

  return Object.freeze<Scheduler>({
    tick,
    async run(signal) {
      while (!signal.aborted) {
        try {
          await tick();
        } catch (error) {
          logger.warn({ err: error }, 'the scheduler could not look for due jobs');
        }
        await clock.sleep(TICK_MS, signal).catch(() => undefined);
      }
    },
  });
}
