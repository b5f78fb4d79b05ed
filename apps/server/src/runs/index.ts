/**
 * Runs: one execution of a job each, from the queue to its end.
 *
 * A run is queued in the transaction that wants it, claimed by one worker at a time, and every figure
 * it writes carries the number of that claim, so that a worker that was thought dead can't write over
 * its successor. Screens read runs, their resources, problems and report lines through the views.
 *
 * When runs are due is the business of jobs, what they do that of their kinds, and showing them that of monitoring.
 */
export { createRunsViews, type AccountsQuery, type RunsViews } from './runs.views.ts';
export { shownStatus } from './shown-status.views.ts';
export { createRunsStore, type RunsStore } from './runs.store.ts';
export { createRunAccountsStore, type AccountEnding, type RunAccountsStore, type RunAccountState } from './run-accounts.store.ts';
export { organisationPhrases } from './organisation-phrases.ts';
export { queueUnplanned } from './queue-unplanned.ts';
export { unplannedRun } from './run.ts';
export type { ClaimedRun, NewRun, RunCountsSoFar, RunEnd, RunTrigger } from './run.ts';
