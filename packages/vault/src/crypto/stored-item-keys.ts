import { createSecretKey } from 'node:crypto';
import { isAppError } from '@holdfast/foundation/errors';
import { isUuid } from '@holdfast/foundation/ids';
import type { BlobStore } from '../blob/blob-store.ts';
import { vaultError } from '../shared/errors.ts';
import type { ItemKeyStore } from './item-keys.ts';
import { openObject, sealObject } from './small-object.ts';
import type { VaultKeys } from './vault-keys.ts';

const PREFIX = 'itemkeys/';

function nameOf(keyId: string): string {
  if (!isUuid(keyId)) throw vaultError('vault.bad-input', 'An item key id is a UUID.', { field: 'itemKeyId' });
  return `${PREFIX}${keyId}`;
}

/** Item keys as sealed objects in a store that lets them be deleted: never one under object lock. */
export function createStoredItemKeys(store: BlobStore, keys: VaultKeys): ItemKeyStore {
  return Object.freeze({
    async put(keyId, key) {
      const name = nameOf(keyId);
      await store.put(name, [sealObject(keys, name, { key: key.export().toString('base64url') })]);
    },
    async get(keyId) {
      const name = nameOf(keyId);
      try {
        const held = openObject<{ key: string }>(keys, name, await store.get(name));
        return createSecretKey(Buffer.from(held.key, 'base64url'));
      } catch (error) {
        if (isAppError(error, 'vault.object-missing')) return undefined;
        throw error;
      }
    },
    async destroy(keyId) {
      await store.delete(nameOf(keyId));
    },
    async *list() {
      for await (const { name } of store.list(PREFIX)) yield name.slice(PREFIX.length);
    },
  } satisfies ItemKeyStore);
}
