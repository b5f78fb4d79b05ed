/**
 * Backup: what a run of a backup job does on the server's side.
 *
 * It finds what the job covers today (members of groups, newcomers), remembers it as resources, opens
 * the vault of the location and lets the engine take one resource after the other, largest first. The
 * budgets of Microsoft 365 that all workers share are here; catalog, leases and vaults are in `storage/`.
 *
 * When runs happen is the business of jobs, how a resource is read that of the engine.
 */
export { createBackupKind } from './kind.ts';
export { createCoverageReader, type CoverageReader } from './coverage.service.ts';
export { createCoverageViews, type CoverageViews, type PointsBeyond } from './coverage.views.ts';
export { createBackupHandler } from './backup.tasks.ts';
export { configuredSource, type SettingsReader } from './configured-source.ts';
export type { TenantGraph } from './tenant-graph.ts';
export { coveredResources, isMeant, type Coverage, type NotCovered } from './covered-resources.ts';
export { createTally, onceFree, openResources } from './each-resource.ts';
export { createProblemBuffer } from './problem-buffer.ts';
export { createGraphBudgets } from './graph-budgets.store.ts';
export { createJobResourcesStore, type JobResourcesStore } from './job-resources.store.ts';
export { createNotCoveredStore } from './not-covered.store.ts';
export { readResources, type ReadingOptions } from './read-resources.ts';
export { defaultJob } from './default-job.ts';
export { deletionTargets } from './deletion-targets.ts';
export { attestedTime, judgedAt, retentionOf, type RetentionTerms } from './retention-of.ts';
export { retentionTerms } from './retention-terms.store.ts';
