import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { secureRandom } from '@holdfast/foundation/random';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { aesKey } from '@holdfast/foundation/secrets';
import { createMasterKeyRing, createMemoryBlobStore, type BlobStore } from '@holdfast/vault';
import { expect, test } from 'vitest';
import { aGround, testIds as ids } from '../../testing/rows.ts';
import { createFirstUse } from './first-use.store.ts';
import { createVaults } from './vaults.service.ts';

const { database } = testDatabase(import.meta.url);

/** A store on which every write takes a while, so that those who make a vault at once get in each other's way. */
function slowly(store: BlobStore): BlobStore {
  return { ...store, put: async (...given) => (await clock.sleep(20), store.put(...given)) };
}

test('processes that use a location for the first time at once make one vault', async () => {
  const { scope, locationId } = await aGround(database);
  const store = slowly(createMemoryBlobStore());
  const warned: unknown[] = [];
  const processes = Array.from({ length: 5 }, () =>
    createVaults({
      storage: { storeOf: async () => ({ store, name: 'Vault' }), noteVault: async () => undefined, checkPlace: async () => undefined },
      keyRingOf: async () => createMasterKeyRing({ current: 'k', keys: { k: aesKey(Buffer.alloc(32, 7)) } }),
      firstUse: createFirstUse(database),
      clock,
      ids,
      random: secureRandom,
      logger: { ...logger, warn: (...told: unknown[]) => void warned.push(told) } as typeof logger,
      threads: 0,
    }),
  );
  const made = await Promise.all(processes.map((one) => one.use(scope, locationId, async (vault) => vault.info.vaultId)));
  expect(new Set(made).size).toBe(1);
  expect(warned).toEqual([]);
  for (const one of processes) await one.close();
});
