import type { BlobStore } from '../blob/blob-store.ts';
import { sealEscrow } from '../crypto/escrow.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { readHeader, rewrapHeader, writeHeader, type OpenedHeader } from '../header.ts';
import type { BlobIndex } from '../index/blob-index.ts';
import { synchroniseIndex } from '../index/synchronise.ts';
import type { JournalContext } from '../journal/commit.ts';
import type { AssemblyPort } from '../read/assembly-port.ts';
import type { BlobReader } from '../read/blobs.ts';
import type { OpenVaultOptions, VaultReader } from '../vault.ts';
import type { WritePath } from '../write/write-path.ts';
import { copyVault } from './copy.ts';
import { rebuildCatalogFeed } from './feed.ts';
import type { Maintenance } from './maintenance.ts';
import type { MarkGuard } from './mark-guard.ts';
import { pruneVault } from './prune.ts';
import { repairVault } from './repair.ts';
import { verifyVault } from './verify.ts';
import { makeWitness } from './witness.ts';

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
  path(): WritePath;
  assemblies(): readonly AssemblyPort[];
}

export function createMaintenance(context: MaintenanceContext): Maintenance {
  const { store, keys, index, options } = context;
  return Object.freeze({
    verify: (request) => verifyVault(context, request),
    repair: (request) => repairVault(context, request),
    prune: (request) => pruneVault(context, request),
    async synchroniseIndex(request = {}) {
      if (request.rebuild) for await (const packId of index.packs()) await index.removePack(packId);
      return synchroniseIndex({ store, keys, index, logger: options.logger });
    },
    rebuildCatalogFeed: (request) => rebuildCatalogFeed(context, request),
    copyTo: (request) => copyVault(context, request),
    witnessHeads: () => makeWitness(context, options.clock),
    async rotateMasterKey(request = {}) {
      const header = await rewrapHeader(await readHeader(store, options.keyRing), request.keyRing ?? options.keyRing);
      await writeHeader(store, keys, header);
      return { keyVersion: header.keyVersion };
    },
    shredItemKey: (itemKeyId) => context.reading.itemKeys.destroy(itemKeyId),
    async exportKeysForEscrow(passphrase) {
      const { organisationId } = context.header.header;
      return sealEscrow({ vaultId: keys.vaultId, organisationId, vaultKey: keys.vaultKey }, passphrase);
    },
  } satisfies Maintenance);
}
