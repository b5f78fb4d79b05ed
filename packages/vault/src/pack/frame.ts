import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { vaultError } from '../shared/errors.ts';
import { release, releaseSlice } from '../shared/release.ts';

/** Frames (FORMAT.md section 5): many blobs compressed and sealed together. */
export const FRAME_HEAD_BYTES = 12;
export const TAG_BYTES = 16;
/** Plaintext at which a frame is closed. */
export const FRAME_TARGET_BYTES = 512 * 1024;
/** Blobs at which a frame is closed, whatever their length, and the room its table may need. */
export const FRAME_MOST_BLOBS = 4095;
export const FRAME_TABLE_BYTES = 4 + FRAME_MOST_BLOBS * 4;
/** No frame's plaintext is longer than this: a reader refuses to inflate more. */
export const FRAME_LIMIT_BYTES = 16 * 1024 * 1024;

export const FRAME_TYPES = { text: 1, binary: 2, meta: 3 } as const;
export type FrameClass = keyof typeof FRAME_TYPES;

const CODEC_STORED = 0;
const CODEC_ZSTD = 1;
const LEVEL = 3;
/** Nonce of the pack's own index; no pack has that many frames. */
export const INDEX_NONCE = 0xffffffff;
const FRAME_LABEL = Buffer.from('holdfast/1/frame');

/** What binds a frame to its place: vault and pack; the frame's number and head are added. */
export interface FramePlace {
  readonly vaultIdBytes: Buffer;
  readonly packId: Buffer;
  readonly packKey: KeyObject;
}

export function nonceOf(counter: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(counter, 8);
  return nonce;
}

function associatedData(place: FramePlace, number: number, head: Uint8Array): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(number);
  return Buffer.concat([FRAME_LABEL, place.vaultIdBytes, place.packId, counter, head]);
}

/** zlib refuses chunks smaller than this. */
const SMALLEST_CHUNK_BYTES = 64;

/**
 * Compresses with zstd; `undefined` when that gains less than 2 %. The length is told beforehand and
 * the result has room in one chunk: a third less work than the default chunks of 16 KiB. The room is
 * that of the worst case: what does not get smaller gets a little longer, and a second chunk means three
 * times the memory, which nobody but the collector can give back.
 */
export function compressed(plain: Uint8Array): Buffer | undefined {
  const packed = zstdCompressSync(plain, {
    chunkSize: SMALLEST_CHUNK_BYTES + plain.byteLength + (plain.byteLength >>> 7),
    pledgedSrcSize: plain.byteLength,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  if (packed.byteLength < plain.byteLength * 0.98) return packed;
  releaseSlice(packed);
  return undefined;
}

/** Inflates; never to more than `plainLength`. Throws what zlib throws. In one chunk: half the work of many. */
export function inflated(data: Uint8Array, plainLength: number): Buffer {
  const maxOutputLength = Math.max(1, plainLength);
  // One byte more than needed: a chunk that is full makes zlib take another one.
  return zstdDecompressSync(data, { maxOutputLength, chunkSize: Math.max(SMALLEST_CHUNK_BYTES, maxOutputLength + 1) });
}

/** Offsets and lengths of the blobs in a frame's plaintext; `undefined` when the table does not fit the frame. */
export function readBlobTable(plain: Buffer): { offset: number; length: number }[] | undefined {
  if (plain.byteLength < 4) return undefined;
  const count = plain.readUInt32BE(0);
  let offset = 4 + count * 4;
  if (offset > plain.byteLength) return undefined;
  const blobs: { offset: number; length: number }[] = [];
  for (let blob = 0; blob < count; blob += 1) {
    const length = plain.readUInt32BE(4 + blob * 4);
    blobs.push({ offset, length });
    offset += length;
  }
  return offset === plain.byteLength ? blobs : undefined;
}

/** Head, ciphertext and tag of frame `number`, in one buffer of its own. */
export function sealFrame(place: FramePlace, number: number, frameClass: FrameClass, plain: Buffer): Buffer {
  const packed = compressed(plain);
  const body = packed ?? plain;
  const frame = Buffer.allocUnsafeSlow(FRAME_HEAD_BYTES + body.byteLength + TAG_BYTES);
  frame.writeUInt32BE(body.byteLength + TAG_BYTES, 0);
  frame.writeUInt32BE(plain.byteLength, 4);
  frame[8] = FRAME_TYPES[frameClass];
  frame[9] = packed ? CODEC_ZSTD : CODEC_STORED;
  frame.writeUInt16BE(0, 10);
  const cipher = createCipheriv('aes-256-gcm', place.packKey, nonceOf(number));
  cipher.setAAD(associatedData(place, number, frame.subarray(0, FRAME_HEAD_BYTES)));
  const sealed = cipher.update(body);
  frame.set(sealed, FRAME_HEAD_BYTES);
  cipher.final();
  frame.set(cipher.getAuthTag(), FRAME_HEAD_BYTES + body.byteLength);
  release(sealed);
  releaseSlice(packed);
  return frame;
}

/** Opens a frame as it is in the pack; `vault.damaged` when a single bit, its place or its pack differs. */
export function openFrame(place: FramePlace, number: number, frame: Buffer): Buffer {
  const damaged = (problem: string, cause?: unknown): Error =>
    vaultError(
      'vault.damaged',
      `Frame ${number} of pack ${place.packId.toString('hex')} ${problem}.`,
      { packId: place.packId.toString('hex'), frame: number },
      cause,
    );
  if (frame.byteLength < FRAME_HEAD_BYTES + TAG_BYTES) throw damaged('is cut short');
  const sealedLength = frame.readUInt32BE(0);
  const plainLength = frame.readUInt32BE(4);
  if (sealedLength !== frame.byteLength - FRAME_HEAD_BYTES) throw damaged('has another length than its head says');
  let body: Buffer;
  try {
    const decipher = createDecipheriv('aes-256-gcm', place.packKey, nonceOf(number));
    decipher.setAAD(associatedData(place, number, frame.subarray(0, FRAME_HEAD_BYTES)));
    decipher.setAuthTag(frame.subarray(frame.byteLength - TAG_BYTES));
    body = decipher.update(frame.subarray(FRAME_HEAD_BYTES, frame.byteLength - TAG_BYTES));
    decipher.final();
  } catch (cause) {
    throw damaged('is not what was written', cause);
  }
  if (plainLength > FRAME_LIMIT_BYTES) throw damaged('is longer than any frame');
  let plain: Buffer;
  try {
    plain = frame[9] === CODEC_ZSTD ? inflated(body, plainLength) : body;
  } catch (cause) {
    throw damaged('does not inflate', cause);
  }
  if (plain.byteLength !== plainLength) throw damaged('inflates to another length');
  if (plain !== body) release(body);
  return plain;
}
