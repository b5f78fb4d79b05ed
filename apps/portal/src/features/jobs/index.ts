/**
 * Jobs in the portal: every list of jobs, their creation step by step, and what can be done with one.
 *
 * One feature serves every kind of job and every area: a page says which kinds and workloads it lists,
 * and the stepper which of them it creates. Starting, stopping, changing and removing are asked for in
 * dialogs, each with the words of the specification, and may be used by other features by `JobActions`.
 *
 * Runs, their progress and their errors are the business of `monitoring`.
 */
export { jobTypeNames, workloadWord } from './job-words.ts';
export type { JobArea } from './job-area.ts';
export { JobsPage } from './jobs-of-area.tsx';
export { JobList } from './job-list.tsx';
export { isStepping, JobSteps } from './job-steps.tsx';
export { StopDialog } from './job-actions.tsx';
export { SourcePicker } from './source-picker.tsx';
export { useDeletionJobOf } from './wanted-job.ts';
