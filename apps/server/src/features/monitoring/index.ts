/**
 * Runs: one execution of a job each, from the queue to its report.
 *
 * A run is queued in the transaction that wants it, claimed by one worker at a time, and every figure
 * it writes carries the number of that claim, so that a worker that was thought dead can't write over
 * its successor. Screens read runs, their resources, problems and report lines through the views.
 *
 * When runs are due is the business of jobs; what they do is that of backup, restore and the others.
 */
export { createMonitoringFeature } from './feature.ts';
export { createRunsViews, type AccountsQuery, type RunsViews } from '../../runs/runs.views.ts';
export { shownStatus } from '../../runs/shown-status.views.ts';
export { createRunsStore, type RunsStore } from '../../runs/runs.store.ts';
export { createRunAccountsStore, type AccountEnding, type RunAccountsStore, type RunAccountState } from '../../runs/run-accounts.store.ts';
export type { ClaimedRun, NewRun, RunCountsSoFar, RunEnd, RunTrigger } from '../../runs/run.ts';
