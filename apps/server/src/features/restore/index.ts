/**
 * Restore: what an administrator chose to get back, put back or handed out.
 *
 * A plan says what a restore would do and writes nothing. The run itself is a job like any other: its
 * handler gives the engine the source, the point and the target, and keeps the report line by line. A
 * download is streamed from the vault while it is fetched, so nothing lies on a disk and any process
 * can serve it; handing content out is written to the audit log with its reason.
 *
 * Which restore points there are is the business of discovery; when a restore runs that of jobs.
 */
export { createRestoreFeature } from './feature.ts';
export { keepEvidence } from './evidence-lines.ts';
export { scratchFolder } from './rehearsal.tasks.ts';
export { createRestoreKind, type ContentOpened } from './kind.ts';
export { requestOf } from './restore-source.ts';
export { mayRestoreTo } from './restore.policy.ts';
export { createTargetCheck } from './target-check.ts';
export { createRestoreHandler } from './restore.tasks.ts';
export { createRestoreViews, PUTTING_BACK, type RestoreViews } from './restore.views.ts';
export { createRunLinesStore, type RunLinesStore, type WrittenReport } from './run-lines.store.ts';
