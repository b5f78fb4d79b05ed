import { randomBytes } from 'node:crypto';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { layOutBlobs, sealFrame, type FrameClass, type FramePlace } from './frame.ts';
import { PACK_HEAD_BYTES, packEnd, packHead, type PackFrame } from './pack.ts';

export interface FinishedPack {
  readonly packId: string;
  /** The whole object, in pieces that own their memory. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  readonly sizeBytes: number;
  readonly frames: readonly PackFrame[];
}

/** A pack that is being filled. */
export interface PackBuilder {
  /** Compresses and seals the blobs as one frame. */
  addFrame(frameClass: FrameClass, blobs: readonly { readonly blobId: string; readonly data: Uint8Array }[]): void;
  readonly sizeBytes: number;
  finish(): FinishedPack;
}

/** A new pack with a random id, and so a key and nonces of its own. */
export function createPackBuilder(keys: VaultKeys): PackBuilder {
  const packId = randomBytes(16);
  const place: FramePlace = { vaultIdBytes: keys.vaultIdBytes, packId, packKey: keys.packKey(packId) };
  const parts: Uint8Array<ArrayBuffer>[] = [new Uint8Array(packHead(packId))];
  const frames: PackFrame[] = [];
  let sizeBytes = PACK_HEAD_BYTES;
  return {
    addFrame(frameClass, blobs) {
      const { plain, offsets } = layOutBlobs(blobs.map((blob) => blob.data));
      const frame = sealFrame(place, frames.length, frameClass, plain) as Buffer<ArrayBuffer>;
      frames.push({
        offset: sizeBytes,
        length: frame.byteLength,
        blobs: blobs.map(({ blobId, data }, at) => ({ blobId, offset: offsets[at] as number, length: data.byteLength })),
      });
      parts.push(frame);
      sizeBytes += frame.byteLength;
    },
    get sizeBytes() {
      return sizeBytes;
    },
    finish() {
      const end = packEnd(place, frames, sizeBytes) as Buffer<ArrayBuffer>;
      return { packId: packId.toString('hex'), parts: [...parts, end], sizeBytes: sizeBytes + end.byteLength, frames };
    },
  };
}
