import type { BatchRoom } from './batch-room.ts';

/** Bounds of content-defined chunks. They may change between versions: readers never need them. */
export const CHUNK_MIN_BYTES = 16 * 1024;
export const CHUNK_AVERAGE_BYTES = 64 * 1024;
export const CHUNK_MAX_BYTES = 256 * 1024;

/** Eighteen and fourteen bits: stricter before the average length, laxer after it (normalised chunking). */
const STRICT_MASK = 0xffffc000 | 0;
const LAX_MASK = 0xfffc0000 | 0;

/** The rolling hash is 32 bits wide and moves by one bit a byte: bytes further back have left it. */
const HASH_BYTES = 32;

/** Hash of the bytes before `end`, beginning at `start` or where it does not matter any more. */
function hashBefore(gear: Uint32Array, data: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = Math.max(start, end - HASH_BYTES); at < end; at += 1) hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
  return hash;
}

/** Where the hash says so for the first time in `start…end`: after which byte, or 0. Four bytes a turn: half again as fast as one. */
function findCut(gear: Uint32Array, data: Uint8Array, bounds: { start: number; end: number; hashed: number }, mask: number): number {
  const { start, end } = bounds;
  let hash = hashBefore(gear, data, bounds.hashed, start);
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
    if ((hash & mask) === 0) return at + 1;
    hash = ((hash << 1) + (gear[data[at + 1] as number] as number)) | 0;
    if ((hash & mask) === 0) return at + 2;
    hash = ((hash << 1) + (gear[data[at + 2] as number] as number)) | 0;
    if ((hash & mask) === 0) return at + 3;
    hash = ((hash << 1) + (gear[data[at + 3] as number] as number)) | 0;
    if ((hash & mask) === 0) return at + 4;
  }
  for (; at < end; at += 1) {
    hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
    if ((hash & mask) === 0) return at + 1;
  }
  return 0;
}

/**
 * Length of the first chunk of `data[from…to)`: where a rolling gear hash says so, at most
 * `CHUNK_MAX_BYTES`, at most what is there. Equal bytes give equal cuts wherever they lie.
 */
export function firstChunkLength(gear: Uint32Array, data: Uint8Array, from: number, to: number): number {
  const size = to - from;
  if (size <= CHUNK_MIN_BYTES) return size;
  const hashed = from + CHUNK_MIN_BYTES;
  const end = from + Math.min(size, CHUNK_MAX_BYTES);
  const middle = Math.min(end, from + CHUNK_AVERAGE_BYTES);
  const cut =
    findCut(gear, data, { start: hashed, end: middle, hashed }, STRICT_MASK) ||
    findCut(gear, data, { start: middle, end, hashed }, LAX_MASK);
  return (cut || end) - from;
}

/** Cuts a stream into chunks. */
export interface Chunker {
  /**
   * The chunks that are complete; with `isLast` all that is left. They are views of `data` or of memory
   * taken from `room`, good as long as these are.
   */
  push(data: Buffer, isLast: boolean, room: BatchRoom): Buffer[];
}

export function createChunker(gear: Uint32Array): Chunker {
  let held: Buffer = Buffer.alloc(0);
  let carry: Buffer | undefined;

  /** Keeps the end for the next turn in memory of its own. */
  function hold(rest: Buffer): void {
    carry ??= Buffer.allocUnsafeSlow(CHUNK_MAX_BYTES);
    held = carry.subarray(0, rest.copy(carry));
  }

  return {
    push(data, isLast, room) {
      const window = room.join(held, data);
      const chunks: Buffer[] = [];
      let at = 0;
      while (at < window.byteLength && (isLast || window.byteLength - at >= CHUNK_MAX_BYTES)) {
        const length = firstChunkLength(gear, window, at, window.byteLength);
        chunks.push(window.subarray(at, at + length));
        at += length;
      }
      if (!isLast) hold(window.subarray(at));
      return chunks;
    },
  };
}
