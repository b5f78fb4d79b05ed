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
const STRETCH_BYTES = 1024;

/** Where to look; the hash knows of nothing before `hashed`. */
interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly hashed: number;
}

/** Hash of the bytes before `end`, beginning at `start` or where it does not matter any more. */
function hashBefore(gear: Uint32Array, data: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = Math.max(start, end - HASH_BYTES); at < end; at += 1) hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
  return hash;
}

/** Where the hash says so for the first time in `start…end`, byte by byte: after which byte, or 0. */
function findCutSlowly(gear: Uint32Array, data: Uint8Array, { start, end, hashed }: Bounds, mask: number): number {
  let hash = hashBefore(gear, data, hashed, start);
  for (let at = start; at < end; at += 1) {
    hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
    if ((hash & mask) === 0) return at + 1;
  }
  return 0;
}

/**
 * The same half again as fast: each byte has to wait for the hash of the one before it, so two stretches
 * are gone over at once. What is found in the second counts when there is nothing in the first.
 */
function findCut(gear: Uint32Array, data: Uint8Array, { start, end, hashed }: Bounds, mask: number): number {
  let at = start;
  let hash = hashBefore(gear, data, hashed, at);
  for (; at + 2 * STRETCH_BYTES <= end; at += 2 * STRETCH_BYTES) {
    const middle = at + STRETCH_BYTES;
    let second = hashBefore(gear, data, hashed, middle);
    let cutInSecond = 0;
    for (let one = at, two = middle; one < middle; one += 1, two += 1) {
      hash = ((hash << 1) + (gear[data[one] as number] as number)) | 0;
      second = ((second << 1) + (gear[data[two] as number] as number)) | 0;
      if ((hash & mask) === 0) return one + 1;
      if ((second & mask) === 0 && cutInSecond === 0) cutInSecond = two + 1;
    }
    if (cutInSecond > 0) return cutInSecond;
    hash = second;
  }
  return findCutSlowly(gear, data, { start: at, end, hashed }, mask);
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
