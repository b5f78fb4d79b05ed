import { open, seal } from '@holdfast/foundation/secrets';
import { isAppError } from '@holdfast/foundation/errors';
import { isUuid } from '@holdfast/foundation/ids';
import type { BlobStore } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../shared/errors.ts';

/** Files of the organisation itself, such as reports: objects of their own, which no journal names and no pruning touches. */
export interface VaultDocuments {
  /** Durable when it resolves. A document is sealed in one piece, so it must fit into memory. */
  put(documentId: string, content: Uint8Array): Promise<void>;
  /** `vault.object-missing` or `vault.damaged` when the document cannot be given back as it was. */
  get(documentId: string): Promise<Buffer>;
  /** Deletes the document; a missing one is no error. */
  remove(documentId: string): Promise<void>;
}

export const DOCUMENTS_FOLDER = 'documents/';

function nameOf(documentId: string): string {
  if (!isUuid(documentId)) throw vaultError('vault.bad-input', 'A document id is a UUID.', { field: 'documentId' });
  return `${DOCUMENTS_FOLDER}${documentId}`;
}

function contextOf({ vaultId }: VaultKeys, name: string): string {
  return `holdfast/1/document/${vaultId}/${name}`;
}

/** What is sealed in the object of a document; `vault.damaged` when it is not what was written under this name. */
export function openDocument(keys: VaultKeys, name: string, sealed: Buffer): Buffer {
  try {
    return open(keys.smallKey, sealed, contextOf(keys, name));
  } catch (cause) {
    if (!isAppError(cause, 'secrets.cannot-open')) throw cause;
    throw vaultError('vault.damaged', `${name} is not what was written.`, { object: name }, cause);
  }
}

/** Documents as sealed objects (FORMAT.md section 9): the bytes of one never open under the name of another. */
export function createVaultDocuments(store: BlobStore, keys: VaultKeys): VaultDocuments {
  return Object.freeze<VaultDocuments>({
    async put(documentId, content) {
      const name = nameOf(documentId);
      await store.put(name, [
        seal(keys.smallKey, Buffer.from(content.buffer, content.byteOffset, content.byteLength), contextOf(keys, name)),
      ]);
    },
    async get(documentId) {
      const name = nameOf(documentId);
      return openDocument(keys, name, await store.get(name));
    },
    remove: (documentId) => store.delete(nameOf(documentId)),
  });
}
