import type { BlobStore } from '../blob/blob-store.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import type { OpenedHeader } from '../header/header.ts';
import type { BlobIndex } from '../index/blob-index.ts';
import type { JournalContext } from '../journal/context.ts';
import type { AssemblyPort } from '../read/assembly-port.ts';
import type { BlobReader } from '../read/blobs.ts';
import type { ChangeSource } from '../journal/state.ts';
import type { VaultReader } from '../content/content.ts';
import type { OpenVaultOptions } from '../opening/options.ts';
import type { WritePath } from '../write/write-path.ts';
import type { MarkGuard } from './mark-guard.ts';

/** What maintenance works with: the insides of an open vault. */
export interface MaintenanceContext {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly index: BlobIndex;
  readonly options: OpenVaultOptions;
  readonly header: OpenedHeader;
  readonly journalContext: JournalContext;
  readonly reading: { readonly itemKeys: ItemKeyStore; readonly blobs: BlobReader; readonly reader: VaultReader };
  readonly guard: MarkGuard;
  /** Resolves when the index has been brought in line with the packs since the vault was opened. */
  indexReady(): Promise<void>;
  path(): WritePath;
  assemblies(): readonly AssemblyPort[];
}

/** What the changes of segments are read with. */
export function changeSource({ store, keys, reading }: MaintenanceContext): ChangeSource {
  return { store, keys, reader: reading.reader };
}
