/**
 * Storage: the vaults of an organisation and the catalog of their contents.
 *
 * A location has one vault, opened once for everybody who works with it; a lease with a growing number says who may write
 * to a resource, and the index of its blobs is shared by every worker. A segment of a vault's journal enters the catalog in one
 * transaction; when the database is lost, the catalog is made again from the journals.
 *
 * What is stored is the business of the kinds of job; when it may go, of retention.
 */
export type { Captured, OnCaptured } from './catalog/catalog-segment.store.ts';
export { archivesToRecount, recountArchive } from './catalog/archive-recount.store.ts';
export { erasedAmong, type Erased, type ErasureReason, type OnErased } from './catalog/erased-items.store.ts';
export { createErasingCatalog, type EraseDecision } from './catalog/erasing-catalog.store.ts';
export { everBelow } from './catalog/ever-below.ts';
export { createCatalog, type Kept, type KeptPlace } from './catalog/catalog.store.ts';
export { versionOf } from './catalog/catalog-row.ts';
export { createCatalogRebuild, type CatalogRebuild, type RebuiltResource } from './catalog/rebuild.service.ts';
export {
  createResourcesStore,
  resourceOf,
  type FoundResource,
  type KnownResource,
  type ResourceWorkload,
  type ResourcesStore,
} from './catalog/resources.store.ts';
export { createStorageFeature } from './feature.ts';
export { isAway } from './is-away.ts';
export { openBlobIndex } from './vaults/blob-index.store.ts';
export { createFirstUse } from './vaults/first-use.store.ts';
export { createLease } from './vaults/lease.store.ts';
export { renewVaultKeys } from './vaults/renew-vault-keys.ts';
export { createStorageOutages, type StorageOutages } from './vaults/storage-outages.ts';
export type { LocationStorage } from './vaults/vault-opener.ts';
export { createVaults, type Vaults } from './vaults/vaults.service.ts';
