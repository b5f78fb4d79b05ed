import { vaultError } from '../shared/errors.ts';
import type { BlobStore } from './blob-store.ts';

/** The store without its writing half: every change is `vault.storage-read-only`. */
export function readOnly(store: BlobStore): BlobStore {
  const refuse = async (): Promise<never> => {
    throw vaultError('vault.storage-read-only', `${store.description} is opened for reading only.`);
  };
  const readable: BlobStore = { ...store, put: refuse, delete: refuse, extendLock: refuse, removeLeftovers: refuse };
  return Object.freeze(readable);
}
