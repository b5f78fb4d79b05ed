import type { VaultKeys } from '../crypto/vault-keys.ts';
import { openFrame } from '../pack/frame.ts';
import { framePlace, scanFrames } from '../pack/pack-reader.ts';
import { packIdIn, packName } from '../pack/pack.ts';

export interface FoundBlob {
  readonly blobId: string;
  readonly plain: Buffer;
}

/**
 * Yields the blobs of a pack that is stored under the name of another one, as a copy that mixed up its files leaves it.
 * Yields nothing of a pack that has its own name.
 */
export function* blobsOfMisnamed(keys: VaultKeys, name: string, data: Buffer): Generator<FoundBlob, void, undefined> {
  const packId = packIdIn(data);
  if (packId === undefined || packName(packId) === name) return;
  const place = framePlace(keys, packId);
  for (const [number, { offset, length, blobs }] of scanFrames(keys, packId, data).entries()) {
    const plain = openFrame(place, number, data.subarray(offset, offset + length));
    for (const blob of blobs) yield { blobId: blob.blobId, plain: Buffer.from(plain.subarray(blob.offset, blob.offset + blob.length)) };
  }
}
