import type { BlobStore } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { FRAME_HEAD_BYTES, openFrame, readBlobTable, type FramePlace } from './frame.ts';
import { damagedPack, openPackIndex, PACK_HEAD_BYTES, packName, readTrailer, PACK_TRAILER_BYTES, type PackFrame } from './pack.ts';

/** First guess at how much of a pack's end its index takes. */
const TAIL_GUESS_BYTES = 128 * 1024;

export function framePlace(keys: VaultKeys, packId: string): FramePlace {
  const id = Buffer.from(packId, 'hex');
  return { vaultIdBytes: keys.vaultIdBytes, packId: id, packKey: keys.packKey(id) };
}

/** Reads a pack's own index with one or two range reads. `vault.damaged` or `vault.object-missing`. */
export async function readPackIndex(
  store: BlobStore,
  keys: VaultKeys,
  packId: string,
): Promise<{ frames: PackFrame[]; packBytes: number }> {
  const place = framePlace(keys, packId);
  const name = packName(packId);
  let tail = await store.get(name, { last: TAIL_GUESS_BYTES });
  const trailer = readTrailer(tail);
  if (!trailer) throw damagedPack(place.packId, 'does not end as a pack does');
  const needed = trailer.indexBytes + PACK_TRAILER_BYTES;
  if (needed > tail.byteLength) tail = await store.get(name, { last: needed });
  if (needed > tail.byteLength) throw damagedPack(place.packId, 'is shorter than its index');
  const sealed = tail.subarray(tail.byteLength - needed, tail.byteLength - PACK_TRAILER_BYTES);
  return { frames: openPackIndex(place, sealed, trailer.frameCount), packBytes: trailer.packBytes };
}

/**
 * Finds the frames of a pack whose index is lost, from the heads of the frames alone; blob ids are
 * computed again. Ends at the first frame that does not open.
 */
export function scanFrames(keys: VaultKeys, packId: string, data: Buffer): PackFrame[] {
  const place = framePlace(keys, packId);
  const frames: PackFrame[] = [];
  let offset = PACK_HEAD_BYTES;
  while (offset + FRAME_HEAD_BYTES <= data.byteLength) {
    const length = FRAME_HEAD_BYTES + data.readUInt32BE(offset);
    if (offset + length > data.byteLength) break;
    const opened = tryOpen(place, frames.length, data.subarray(offset, offset + length));
    const table = opened && readBlobTable(opened);
    if (!opened || !table) break;
    const blobs = table.map((blob) => ({
      ...blob,
      blobId: keys.blobId(opened.subarray(blob.offset, blob.offset + blob.length)),
    }));
    frames.push({ offset, length, blobs });
    offset += length;
  }
  return frames;
}

function tryOpen(place: FramePlace, number: number, frame: Buffer): Buffer | undefined {
  try {
    return openFrame(place, number, frame);
  } catch {
    return undefined;
  }
}
