import { randomBytes } from 'node:crypto';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { sealFrame, type FrameClass, type FramePlace } from './frame.ts';
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
  /** Compresses and seals a frame's plaintext, which is its table and these blobs. */
  addFrame(
    frameClass: FrameClass,
    frame: { readonly plain: Buffer; readonly blobs: readonly { readonly blobId: string; readonly length: number }[] },
  ): void;
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
    addFrame(frameClass, { plain, blobs }) {
      const frame = sealFrame(place, frames.length, frameClass, plain) as Buffer<ArrayBuffer>;
      let offset = 4 + blobs.length * 4;
      const placed = blobs.map(({ blobId, length }) => {
        const blob = { blobId, offset, length };
        offset += length;
        return blob;
      });
      frames.push({
        offset: sizeBytes,
        length: frame.byteLength,
        blobs: placed,
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
