import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { BlobStore, ObjectLock } from '../blob/blob-store.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import type { BlobIndex } from '../index/blob-index.ts';

export interface CreateVaultOptions {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly organisationId: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** A name for people, kept in the header in the clear. */
  readonly name?: string;
}

export interface OpenVaultOptions {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whose vault this must be; another one is refused as `vault.foreign`. */
  readonly organisationId?: string;
  readonly vaultId?: string;
  /** What is stored where. Without one, an index in memory is built from the packs. */
  readonly index?: BlobIndex;
  /** Keys of their own for single items; without one they are in the vault's own store. */
  readonly itemKeys?: ItemKeyStore;
  /** Worker threads for splitting, compression and sealing; 0 does the work on the calling thread. Default: one a core. */
  readonly threads?: number;
  /** Every object that is written gets this lock, counted from its writing. */
  readonly lock?: { readonly mode: ObjectLock['mode']; readonly days: number };
  readonly signal?: AbortSignal;
}
