/**
 * The vault: a deduplicating, encrypted, verifiable store for what is protected. It needs no
 * database: a vault, its key and FORMAT.md are enough to read everything back.
 *
 * It promises that nothing acknowledged is lost (content is durable in packs before a journal
 * segment names it), that not one wrong byte is ever given out, and that damage is found and named.
 *
 * A run opens a writer for its resource, puts contents, flushes, and commits the changes to the
 * journal: `openVault` → `vault.openWriter` → `writer.put` → `writer.flush` → `journal.commit`.
 * A restore reads `journal.stateAt` and gives each content reference to `vault.reader()`.
 *
 * What the items mean, where they come from and when runs happen is not its business.
 */
export type { VaultError, VaultErrorCode } from './shared/errors.ts';
export type { BlobInfo, BlobRange, BlobStore, ObjectLock, PutOptions, StoreAbilities } from './blob/blob-store.ts';
export type { ContentRef, Piece } from './chunk/content-ref.ts';
export type { VaultDocuments } from './documents/documents.ts';
export type { KeyRing, WrappedKey } from './crypto/key-ring.ts';
export type { ItemKeyStore } from './crypto/item-keys.ts';
export type { BlobIndex, BlobPlace, IndexedBlob } from './index/blob-index.ts';
export type {
  CommitOptions,
  ItemChange,
  ItemPut,
  ItemRemove,
  ItemState,
  Journal,
  Json,
  ListedResource,
  LostSegment,
  PastDamage,
  ResourceHead,
  Restatement,
  Segment,
  SegmentInfo,
} from './journal/journal.ts';
export { isInPart, type StatePart } from './journal/state-part.ts';
export type {
  AffectedItem,
  CatalogEntry,
  CopyOptions,
  CopyReport,
  Damage,
  HeadsWitness,
  JournalDifference,
  Maintenance,
  PruneOptions,
  PrunePolicy,
  PruneReport,
  Refetch,
  RememberedJournal,
  RepairOptions,
  RepairReport,
  RepairSource,
  RepairStep,
  SignedStatement,
  VaultMemory,
  VerifyOptions,
  VerifyProgress,
  VerifyReport,
} from './maintenance/maintenance.ts';
export type {
  ContentKind,
  PutContentOptions,
  ReadOptions,
  VaultReader,
  VaultWriter,
  WantedFile,
  WriterStatistics,
} from './content/content.ts';
export type { CreateVaultOptions, OpenVaultOptions } from './opening/options.ts';
export type { Vault, VaultInfo } from './vault.ts';
export { createFilesystemBlobStore, filesystemFailure } from './blob/filesystem.ts';
export { createMemoryBlobStore } from './blob/memory.ts';
export { createMasterKeyRing } from './crypto/master-key-ring.ts';
export { createStoredItemKeys } from './crypto/stored-item-keys.ts';
export { createMemoryBlobIndex } from './index/memory.ts';
export { createVault, openVault } from './open-vault.ts';
export { parseWitness } from './maintenance/witness.ts';
export { recoverFromEscrow } from './recover.ts';
export { probeBlobStore, type ProbeResult, type ProbeStep } from './blob/probe.ts';
export { readOnly } from './blob/read-only.ts';
export type { S3BlobStoreOptions } from './blob/s3/options.ts';
export { createS3BlobStore } from './blob/s3/s3.ts';
export { withFaults, type StoreFault } from './blob/with-faults.ts';
export { withMetrics, type StoreRequest } from './blob/with-metrics.ts';
export { withRetry, type StorePatience, type WithRetryOptions } from './blob/with-retry.ts';
export { withThrottle, type WithThrottleOptions } from './blob/with-throttle.ts';
export { openEscrow, type Escrow } from './crypto/escrow.ts';
export { createFileBlobIndex } from './index/file.ts';
