/**
 * Backup: what a run of a backup job does on the server's side.
 *
 * It finds what the job covers today (members of groups, newcomers), remembers it as resources, opens
 * the vault of the location and lets the engine take one resource after the other, largest first. What
 * the engine needs of a database is here: the catalog, the leases with their growing numbers, the
 * index of the vault and the budgets of Microsoft 365, all shared by every worker.
 *
 * When runs happen is the business of jobs, how a resource is read that of the engine.
 */
export { createBackupKind } from './kind.ts';
export { createCoverageReader, type CoverageReader } from './coverage.service.ts';
export { createCoverageViews, type CoverageViews, type PointsBeyond } from './coverage.views.ts';
export { createBackupHandler } from './backup.tasks.ts';
export type { SettingsReader } from './configured-source.ts';
export type { TenantGraph } from './tenant-graph.ts';
export { openBlobIndex } from '../../storage/vaults/blob-index.store.ts';
export { createCatalog } from '../../storage/catalog/catalog.store.ts';
export { coveredResources, isMeant, type Coverage, type NotCovered } from './covered-resources.ts';
export { versionOf } from '../../storage/catalog/catalog-row.ts';
export { createTally, onceFree, openResources } from './each-resource.ts';
export { createProblemBuffer } from './problem-buffer.ts';
export { createFirstUse } from '../../storage/vaults/first-use.store.ts';
export { createGraphBudgets } from './graph-budgets.store.ts';
export { createJobResourcesStore } from './job-resources.store.ts';
export { createLease } from '../../storage/vaults/lease.store.ts';
export { createNotCoveredStore } from './not-covered.store.ts';
export { defaultJob } from './default-job.ts';
export { deletionTargets } from './deletion-targets.ts';
export { attestedTime, judgedAt, retentionOf, type RetentionTerms } from './retention-of.ts';
export { retentionTerms } from './retention-terms.store.ts';
export { createCatalogRebuild, type CatalogRebuild, type RebuiltResource } from '../../storage/catalog/rebuild.service.ts';
export {
  createResourcesStore,
  resourceOf,
  type KnownResource,
  type ResourceWorkload,
  type ResourcesStore,
} from '../../storage/catalog/resources.store.ts';
export { renewVaultKeys } from '../../storage/vaults/renew-vault-keys.ts';
export type { LocationStorage } from '../../storage/vaults/vault-opener.ts';
export { createVaults, type Vaults } from '../../storage/vaults/vaults.service.ts';
export { createStorageOutages, type StorageOutages } from '../../storage/vaults/storage-outages.ts';
