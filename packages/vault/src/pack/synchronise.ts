import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { BlobStore } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { readPackIndex, scanFrames } from './pack-reader.ts';
import { indexedBlobs, packIdOf, packName, type PackFrame } from './pack.ts';
import type { BlobIndex } from '../index/blob-index.ts';

const PACKS_AT_ONCE = 8;

export interface ListedPack {
  readonly packId: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

/** Packs that are really in the store. */
export async function* listPacks(store: BlobStore): AsyncGenerator<ListedPack, void, undefined> {
  for await (const { name, sizeBytes, modifiedAtMs } of store.list('packs/')) {
    const packId = packIdOf(name);
    if (packId !== undefined) yield { packId, sizeBytes, modifiedAtMs };
  }
}

interface PackSource {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly logger: Logger;
}

async function framesOf({ store, keys, logger }: PackSource, packId: string): Promise<PackFrame[]> {
  try {
    return (await readPackIndex(store, keys, packId)).frames;
  } catch (error) {
    if (!isAppError(error, 'vault.damaged')) throw error;
    logger.warn({ packId, problem: error.message }, 'a pack has no readable index; its frames are looked for');
    return scanFrames(keys, packId, await store.get(packName(packId)));
  }
}

/**
 * Brings an index in line with the packs that are there: adds those it lacks from their own
 * indexes, forgets those that are gone. Where an index does not open, the pack is read and its frames are found by
 * their heads; it is logged, and verify names it. May be repeated at any time.
 */
export async function synchroniseIndex(options: {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly index: BlobIndex;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
}): Promise<{ readonly packs: readonly ListedPack[]; readonly blobs: number }> {
  const { store, index, logger, signal } = options;
  const known = new Set<string>();
  for await (const packId of index.packs()) known.add(packId);
  const packs: ListedPack[] = [];
  for await (const pack of listPacks(store)) packs.push(pack);
  const present = new Set(packs.map(({ packId }) => packId));
  for (const packId of known) if (!present.has(packId)) await index.removePack(packId);
  const lacking = [...present].filter((packId) => !known.has(packId));
  await forEachConcurrent(lacking, PACKS_AT_ONCE, async (packId) => {
    signal?.throwIfAborted();
    try {
      await index.addPack(packId, indexedBlobs(packId, await framesOf(options, packId)));
    } catch (error) {
      if (!isAppError(error, 'vault.damaged', 'vault.object-missing')) throw error;
      logger.warn({ packId, problem: error.message }, 'a pack can not be read');
    }
  });
  await index.flush();
  return { packs, blobs: index.blobCount };
}
