import { createCipheriv, createDecipheriv } from 'node:crypto';
import { BLOB_ID_BYTES } from '../crypto/vault-keys.ts';
import { vaultError, type VaultError } from '../shared/errors.ts';
import type { BlobPlace, IndexedBlob } from '../index/blob-index.ts';
import { compressed, inflated, INDEX_NONCE, nonceOf, TAG_BYTES, type FramePlace } from './frame.ts';

/** Packs (FORMAT.md section 5): head, frames, sealed index, trailer. Written once, never changed. */
export const PACK_HEAD_BYTES = 32;
export const PACK_TRAILER_BYTES = 24;
const PACK_ID_BYTES = 16;
/** A pack is closed when it holds this much. */
export const PACK_TARGET_BYTES = 16 * 1024 * 1024;

const HEAD_MAGIC = Buffer.from('HFPACK\0\x01', 'latin1');
const END_MAGIC = Buffer.from('HFPEND\0\x01', 'latin1');
const INDEX_LABEL = Buffer.from('holdfast/1/pack-index');
const INDEX_LIMIT_BYTES = 64 * 1024 * 1024;

/** `packs/ab/ab…`: sharded by the first byte. */
export function packName(packId: string): string {
  return `packs/${packId.slice(0, 2)}/${packId}`;
}

/** The pack id in an object name, if it is one of a pack. */
export function packIdOf(name: string): string | undefined {
  const match = /^packs\/([0-9a-f]{2})\/([0-9a-f]{32})$/.exec(name);
  return match && match[2]?.startsWith(match[1] ?? '-') ? match[2] : undefined;
}

export interface PackFrame {
  readonly offset: number;
  readonly length: number;
  readonly blobs: readonly { readonly blobId: string; readonly offset: number; readonly length: number }[];
}

export function packHead(packId: Buffer): Buffer {
  return Buffer.concat([HEAD_MAGIC, packId, Buffer.alloc(8)], PACK_HEAD_BYTES);
}

/** Whether `head` begins the pack `packId`. */
export function isPackHead(head: Uint8Array, packId: Buffer): boolean {
  return packHead(packId).equals(head.subarray(0, PACK_HEAD_BYTES));
}

/** The id of the pack that `data` begins, whatever its object is called; `undefined` when it begins none. */
export function packIdIn(data: Uint8Array): string | undefined {
  const id = Buffer.from(data.subarray(HEAD_MAGIC.byteLength, HEAD_MAGIC.byteLength + PACK_ID_BYTES));
  return isPackHead(data, id) ? id.toString('hex') : undefined;
}

function encodeIndex(frames: readonly PackFrame[]): Buffer {
  const blobCount = frames.reduce((sum, frame) => sum + frame.blobs.length, 0);
  const out = Buffer.allocUnsafe(4 + frames.length * 12 + blobCount * (BLOB_ID_BYTES + 4));
  let at = out.writeUInt32BE(frames.length, 0);
  for (const frame of frames) {
    at = out.writeUInt32BE(frame.offset, at);
    at = out.writeUInt32BE(frame.length, at);
    at = out.writeUInt32BE(frame.blobs.length, at);
    for (const blob of frame.blobs) {
      at += out.write(blob.blobId, at, 'hex');
      at = out.writeUInt32BE(blob.length, at);
    }
  }
  return out;
}

function decodeIndex(data: Buffer): PackFrame[] {
  let at = 4;
  const frames: PackFrame[] = [];
  for (let left = data.readUInt32BE(0); left > 0; left -= 1) {
    const offset = data.readUInt32BE(at);
    const length = data.readUInt32BE(at + 4);
    const count = data.readUInt32BE(at + 8);
    at += 12;
    const blobs: { blobId: string; offset: number; length: number }[] = [];
    let blobOffset = 4 + count * 4;
    for (let blob = 0; blob < count; blob += 1) {
      const blobLength = data.readUInt32BE(at + BLOB_ID_BYTES);
      blobs.push({ blobId: data.toString('hex', at, at + BLOB_ID_BYTES), offset: blobOffset, length: blobLength });
      blobOffset += blobLength;
      at += BLOB_ID_BYTES + 4;
    }
    frames.push({ offset, length, blobs });
  }
  return frames;
}

function associatedData(place: FramePlace, frameCount: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(frameCount);
  return Buffer.concat([INDEX_LABEL, place.vaultIdBytes, place.packId, count]);
}

/** What follows the last frame: the sealed index and the trailer. `dataBytes` is the length of head and frames. */
export function packEnd(place: FramePlace, frames: readonly PackFrame[], dataBytes: number): Buffer {
  const plain = encodeIndex(frames);
  const packed = compressed(plain);
  const cipher = createCipheriv('aes-256-gcm', place.packKey, nonceOf(INDEX_NONCE));
  cipher.setAAD(associatedData(place, frames.length));
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(plain.byteLength, 0);
  sizes[4] = packed ? 1 : 0;
  const sealed = [cipher.update(Buffer.concat([sizes, packed ?? plain])), cipher.final(), cipher.getAuthTag()];
  const sealedBytes = sealed.reduce((sum, part) => sum + part.byteLength, 0);
  const trailer = Buffer.alloc(PACK_TRAILER_BYTES);
  trailer.writeUInt32BE(sealedBytes, 0);
  trailer.writeUInt32BE(frames.length, 4);
  trailer.writeBigUInt64BE(BigInt(dataBytes + sealedBytes + PACK_TRAILER_BYTES), 8);
  END_MAGIC.copy(trailer, 16);
  const out = Buffer.allocUnsafeSlow(sealedBytes + PACK_TRAILER_BYTES);
  Buffer.concat([...sealed, trailer]).copy(out);
  return out;
}

export interface PackTrailer {
  readonly indexBytes: number;
  readonly frameCount: number;
  readonly packBytes: number;
}

/** Reads the trailer at the end of `tail`; `undefined` when it is none. */
export function readTrailer(tail: Buffer): PackTrailer | undefined {
  if (tail.byteLength < PACK_TRAILER_BYTES) return undefined;
  const trailer = tail.subarray(tail.byteLength - PACK_TRAILER_BYTES);
  if (!trailer.subarray(16).equals(END_MAGIC)) return undefined;
  const packBytes = Number(trailer.readBigUInt64BE(8));
  const indexBytes = trailer.readUInt32BE(0);
  if (indexBytes > INDEX_LIMIT_BYTES || indexBytes + PACK_HEAD_BYTES + PACK_TRAILER_BYTES > packBytes) return undefined;
  return { indexBytes, frameCount: trailer.readUInt32BE(4), packBytes };
}

export function damagedPack(packId: Buffer, problem: string, cause?: unknown): VaultError {
  const id = packId.toString('hex');
  return vaultError('vault.damaged', `Pack ${id} ${problem}.`, { object: packName(id), packId: id }, cause);
}

/** Opens the sealed index of a pack. `vault.damaged` when it is not what was written. */
export function openPackIndex(place: FramePlace, sealed: Buffer, frameCount: number): PackFrame[] {
  let opened: Buffer;
  try {
    const decipher = createDecipheriv('aes-256-gcm', place.packKey, nonceOf(INDEX_NONCE));
    decipher.setAAD(associatedData(place, frameCount));
    decipher.setAuthTag(sealed.subarray(sealed.byteLength - TAG_BYTES));
    opened = Buffer.concat([decipher.update(sealed.subarray(0, sealed.byteLength - TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw damagedPack(place.packId, 'has an index that is not what was written', cause);
  }
  const plainBytes = opened.readUInt32BE(0);
  if (plainBytes > INDEX_LIMIT_BYTES) throw damagedPack(place.packId, 'has an index longer than any');
  const body = opened.subarray(5);
  return decodeIndex(opened[4] === 1 ? inflated(body, plainBytes) : body);
}

/** All blobs of a pack with their places. */
export function indexedBlobs(packId: string, frames: readonly PackFrame[]): IndexedBlob[] {
  return frames.flatMap((frame, number) =>
    frame.blobs.map((blob) => {
      const place: BlobPlace = {
        packId,
        frame: number,
        frameOffset: frame.offset,
        frameLength: frame.length,
        blobOffset: blob.offset,
        blobLength: blob.length,
      };
      return { blobId: blob.blobId, place };
    }),
  );
}
