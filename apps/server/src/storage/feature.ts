import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { Sealing } from '../keys/sealing.ts';
import { createVaultKeyRings } from '../keys/vault-key-rings.ts';
import type { MasterKey } from '../keys/master-key.ts';
import type { Feature } from '../platform/feature.ts';
import { openBlobIndex } from './vaults/blob-index.store.ts';
import { createFirstUse } from './vaults/first-use.store.ts';
import { createStorageOutages, type StorageOutages } from './vaults/storage-outages.ts';
import type { LocationStorage } from './vaults/vault-opener.ts';
import { createVaults, type Vaults } from './vaults/vaults.service.ts';

export interface StoragePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly installation: { readonly masterKey: MasterKey };
  /** Where the locations are. */
  readonly stores: LocationStorage;
}

export interface StorageFeature extends Feature {
  readonly vaults: Vaults;
  /** Which locations can't be reached now. */
  readonly outages: StorageOutages;
}

/** The vaults of this process. */
export function createStorageFeature(ports: StoragePorts): StorageFeature {
  const { database, installation, stores } = ports;
  const outages = createStorageOutages();
  const vaults = createVaults({
    ...ports,
    storage: stores,
    keyRingOf: createVaultKeyRings({ ...ports, masterKey: installation.masterKey }),
    firstUse: createFirstUse(database),
    indexOf: (scope, locationId) => openBlobIndex({ database, scope, locationId }),
    outages,
  });
  return Object.freeze<StorageFeature>({ vaults, outages, close: () => vaults.close() });
}
