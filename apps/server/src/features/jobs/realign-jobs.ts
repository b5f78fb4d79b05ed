import type { Logger } from '@holdfast/foundation/logger';
import type { DueJob, DueJobsStore } from './due-jobs.store.ts';
import { nextOccurrence } from './schedule.ts';

const BATCH = 100;

/** Moves the next run of one job back to its schedule; false when it is there. */
function realign(store: DueJobsStore, { scope, jobId }: DueJob, nowMs: number): Promise<boolean> {
  return store.within(scope, async (tx) => {
    const job = await store.lockUpcoming(tx, jobId, nowMs);
    const next = job && nextOccurrence(job.body.schedule, nowMs, job.anchoredAt.getTime());
    if (!job?.nextRunAt || !next || next.atMs >= job.nextRunAt.getTime()) return false;
    await store.forgetLater(tx, jobId, nowMs);
    await store.setNext(tx, jobId, new Date(next.atMs));
    return true;
  });
}

/**
 * Puts jobs back on their schedules after the clock was ahead: its next runs and recorded occurrences are far in the
 * future, and a daily job could wait for a year.
 */
export async function realignJobs(store: DueJobsStore, logger: Logger): Promise<void> {
  for (let after: string | undefined; ;) {
    const { nowMs, jobs } = await store.upcoming(after, BATCH);
    for (const job of jobs) {
      if (await realign(store, job, nowMs)) {
        logger.warn({ jobId: job.jobId }, 'the clock was ahead; the next run of a job is back on its schedule');
      }
    }
    after = jobs.at(-1)?.jobId;
    if (jobs.length < BATCH) return;
  }
}
