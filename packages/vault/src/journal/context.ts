import type { Clock } from '@holdfast/foundation/clock';
import type { BlobStore, ObjectLock } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { VaultReader, VaultWriter } from '../content/content.ts';

/** When a segment also holds the whole state. */
export interface CheckpointPolicy {
  readonly segments: number;
  readonly changes: number;
}

export const DEFAULT_CHECKPOINTS: CheckpointPolicy = { segments: 64, changes: 20_000 };

export interface JournalContext {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly clock: Clock;
  readonly reader: VaultReader;
  readonly checkpoints: CheckpointPolicy;
  openWriter(resourceId: string): Promise<VaultWriter>;
  /** Refuses with `vault.blob-missing` or `vault.prune-conflict` what could not be relied on. */
  checkBlobs(blobIds: readonly string[]): Promise<void>;
  lockForNow(): ObjectLock | undefined;
}
