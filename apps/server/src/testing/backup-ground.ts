import { defaultBackupSettings, type BackupSettings } from '@holdfast/contract/configuration';
import type { Database, Scope } from '@holdfast/database';
import { systemClock as clock, type Clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { aesKey, Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets } from '@holdfast/m365';
import type { Simulator } from '@holdfast/m365-simulator';
import { createFilesystemBlobStore, createMasterKeyRing, type BlobStore } from '@holdfast/vault';
import { createBackupHandler, createJobResourcesStore, createNotCoveredStore, type TenantGraph } from '../features/backup/index.ts';
import { createCatalog, createFirstUse, createLease, createResourcesStore, createVaults } from '../storage/index.ts';
import type { StorageOutages } from '../storage/index.ts';
import { createRunAccountsStore } from '../runs/index.ts';
import { testIds as ids } from './rows.ts';

interface Parts {
  readonly database: Database;
  readonly simulator: Simulator;
  /** Where every location has its vault. */
  readonly folder: string;
  /** The store of every location, in place of the folder's own. */
  readonly store?: BlobStore;
  readonly outages?: StorageOutages;
  /** How requests wait; as long as it takes unless given. */
  readonly graphClock?: Clock;
  /** What is configured; what is preset unless given. */
  readonly settings?: BackupSettings;
}

/** The simulator's first tenant, a vault and the catalog, as the handlers of runs reach them. */
export function reachSimulated({ database, simulator, folder, store, outages, graphClock = clock }: Parts) {
  const [tenant] = simulator.tenants;
  if (!tenant) throw new Error('The simulator has no tenant.');
  const vaults = createVaults({
    storage: {
      storeOf: async () => ({ store: store ?? createFilesystemBlobStore({ root: folder, sync: false }), name: 'Vault' }),
      noteVault: async () => undefined,
      checkPlace: async () => undefined,
    },
    keyRingOf: async () => createMasterKeyRing({ current: 'k', keys: { k: aesKey(Buffer.alloc(32, 7)) } }),
    firstUse: createFirstUse(database),
    ...(outages ? { outages } : {}),
    clock,
    ids,
    random: secureRandom,
    logger,
    threads: 0,
  });
  const graph: TenantGraph = {
    async use(_scope, _tenantId, work) {
      const client = createGraphClient({
        tenantId: tenant.tenantId,
        credential: { kind: 'secret', clientId: tenant.clientId, clientSecret: new Secret(tenant.clientSecret) },
        endpoints: { loginUrl: simulator.login, graphUrl: simulator.graph, ca: simulator.caPem },
        budgets: createMemoryBudgets({ clock: graphClock, ids }),
        clock: graphClock,
        random: secureRandom,
        ids,
        logger,
        userAgentVersion: '0.0.0',
      });
      try {
        return await work(client);
      } finally {
        await client.close();
      }
    },
  };
  const catalogOf = (scope: Scope, locationId: string) => createCatalog({ database, scope, locationId, ids });
  return { graph, vaults, catalogOf };
}

/** The real handler of backup runs over it. */
export function backupHandlerOver(parts: Parts) {
  const { database } = parts;
  return createBackupHandler({
    ...reachSimulated(parts),
    resources: createResourcesStore({ database, ids }),
    accounts: createRunAccountsStore({ database, clock }),
    notCovered: createNotCoveredStore({ database, clock }),
    jobResources: createJobResourcesStore(database),
    configuration: { settingsOf: async () => parts.settings ?? defaultBackupSettings },
    leaseOf: (scope, locationId) => createLease({ database, scope, locationId, clock, ids }),
    clock,
    logger,
  });
}
