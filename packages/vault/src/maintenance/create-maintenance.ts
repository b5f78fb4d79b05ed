import { nowIso } from '@holdfast/foundation/clock';
import { sealEscrow } from '../crypto/escrow.ts';
import { readHeader, rewrapHeader, writeHeader } from '../header/header.ts';
import { synchroniseIndex } from '../pack/synchronise.ts';
import { copyVault } from './copy.ts';
import { rebuildCatalogFeed } from './feed.ts';
import { readRetention } from './live-versions.ts';
import type { Maintenance } from './maintenance.ts';
import { pruneVault } from './prune.ts';
import { repairVault } from './repair.ts';
import { verifyVault } from './verify.ts';
import { isOwnWitness, makeWitness, signExport, signWitness } from './witness.ts';
import type { MaintenanceContext } from './context.ts';

export function createMaintenance(context: MaintenanceContext): Maintenance {
  const { store, keys, index, options } = context;
  return Object.freeze({
    verify: (request) => verifyVault(context, request),
    async repair(request) {
      await context.indexReady();
      return repairVault(context, request);
    },
    prune: (request) => pruneVault(context, request),
    async synchroniseIndex(request = {}) {
      if (request.rebuild) for await (const packId of index.packs()) await index.removePack(packId);
      const { packs, blobs } = await synchroniseIndex({ store, keys, index, logger: options.logger });
      return { packs: packs.length, blobs };
    },
    async forgottenPoints(resourceId) {
      const { record } = await readRetention(store, keys, keys.resourceKey(resourceId));
      return { points: record.droppedPoints, isDropped: record.isDropped };
    },
    rebuildCatalogFeed: (request) => rebuildCatalogFeed(context, request),
    copyTo: (request) => copyVault(context, request),
    witnessHeads: () => makeWitness(context, options.clock),
    signHeads: (heads) => signWitness(keys, nowIso(options.clock), heads),
    isOwnWitness: (witness) => isOwnWitness(keys, witness),
    signExport: (statement) => signExport(keys, statement),
    async rotateMasterKey(request = {}) {
      const current = await readHeader(store, options.keyRing);
      const header = await rewrapHeader(current, request.keyRing ?? options.keyRing, request.organisationId);
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
