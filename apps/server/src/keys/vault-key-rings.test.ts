import { organisationId, type Scope } from '@holdfast/database';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { aesKey } from '@holdfast/foundation/secrets';
import { createMasterKeyRing, createMemoryBlobStore, createVault, openVault, type BlobStore, type KeyRing } from '@holdfast/vault';
import { expect, test } from 'vitest';
import { createVaults } from '../storage/index.ts';
import { createVaultKeyRings } from './vault-key-rings.ts';

const clock = systemClock;
const logger = silentLogger;
const ids = createIds(clock, secureRandom);
const scope: Scope = { organisationId: organisationId(ids.uuid()), realm: 'production' };
const master = { id: 'master', key: aesKey(Buffer.alloc(32, 1)) };
const organisation = { keyId: 'organisation', key: aesKey(Buffer.alloc(32, 2)) };
const keyRingOf = createVaultKeyRings({ masterKey: master, sealing: { organisationKey: async () => organisation } });
const masterAlone = createMasterKeyRing({ current: master.id, keys: { [master.id]: master.key } });
const organisationAlone = createMasterKeyRing({ current: organisation.keyId, keys: { [organisation.keyId]: organisation.key } });

async function keyThatOpens(store: BlobStore, keyRing: KeyRing): Promise<string> {
  const vault = await openVault({ store, keyRing, clock, ids, logger, threads: 0 });
  await vault.close();
  return vault.info.masterKeyId;
}

function vaultsAt(store: BlobStore) {
  return createVaults({
    storage: { storeOf: async () => ({ store, name: 'Vault' }), noteVault: async () => undefined, checkPlace: async () => undefined },
    keyRingOf,
    firstUse: (_scope, _locationId, make) => make(),
    clock,
    ids,
    random: secureRandom,
    logger,
    threads: 0,
  });
}

test('the master key alone opens a vault that was made with the ring', async () => {
  const store = createMemoryBlobStore();
  const vaults = vaultsAt(store);
  expect(await vaults.renewKeys(scope, 'one')).toBe(false);
  await vaults.use(scope, 'one', async () => undefined);
  await vaults.close();
  expect(await keyThatOpens(store, masterAlone)).toBe(master.id);
});

test('a vault that the key of the organisation wraps is wrapped with the master key when it is opened', async () => {
  const store = createMemoryBlobStore();
  await createVault({ store, keyRing: organisationAlone, organisationId: scope.organisationId, clock, ids });
  await expect(keyThatOpens(store, masterAlone)).rejects.toMatchObject({ code: 'vault.wrong-key' });
  const vaults = vaultsAt(store);
  await vaults.use(scope, 'one', async () => undefined);
  await vaults.close();
  expect(await keyThatOpens(store, masterAlone)).toBe(master.id);
});
