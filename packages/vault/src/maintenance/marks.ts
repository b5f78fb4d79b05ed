import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from '../blob/blob-store.ts';
import { openObject, sealObject } from '../crypto/small-object.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';

const PREFIX = 'marks/';

/** Packs that will be swept after `sweepAt` if nothing names them by then (FORMAT.md section 10). */
export interface Mark {
  readonly markedAt: string;
  readonly sweepAt: string;
  readonly packIds: readonly string[];
}

export interface NamedMark extends Mark {
  readonly name: string;
}

export function markName(id: string): string {
  return `${PREFIX}${id}`;
}

export function sealMark(keys: VaultKeys, name: string, mark: Mark): Buffer {
  return sealObject(keys, name, mark);
}

/** All marks of the vault. One that does not open is left out: nothing is ever swept because of it. */
export async function readMarks(store: BlobStore, keys: VaultKeys): Promise<NamedMark[]> {
  const marks: NamedMark[] = [];
  for await (const { name } of store.list(PREFIX)) {
    try {
      marks.push({ name, ...openObject<Mark>(keys, name, await store.get(name)) });
    } catch (error) {
      if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
    }
  }
  return marks;
}
