/**
 * Jobs: what administrators set up to run, and when.
 *
 * A job says what it covers, where its data goes and by which schedule it runs. Starting one queues a
 * run, one at a time; a run that is due while the one before goes on is recorded as skipped. The
 * scheduler finds due jobs by the database's clock; an occurrence is named by its local time, so that
 * however many schedulers look, it happens once. `schedule.ts` is the pure arithmetic of all that.
 *
 * Doing the work is the business of backup, restore and the other kinds; showing runs that of monitoring.
 */
export { createJobsFeature } from './feature.ts';
export type { JobsService } from './jobs.service.ts';
export { createJobsStore } from './jobs.store.ts';
export { createJobsViews, type JobsViews } from './jobs.views.ts';
export { nameMatcher } from './team-expression.ts';
