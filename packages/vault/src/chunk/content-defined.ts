/** Bounds of content-defined chunks. They may change between versions: readers never need them. */
export const CHUNK_MIN_BYTES = 16 * 1024;
export const CHUNK_AVERAGE_BYTES = 64 * 1024;
export const CHUNK_MAX_BYTES = 256 * 1024;

/** Eighteen and fourteen bits: stricter before the average length, laxer after it (normalised chunking). */
const STRICT_MASK = 0xffffc000 | 0;
const LAX_MASK = 0xfffc0000 | 0;

/**
 * Length of the first chunk of `data[from…to)`: where a rolling gear hash says so, at most
 * `CHUNK_MAX_BYTES`, at most what is there. Equal bytes give equal cuts wherever they lie.
 */
export function firstChunkLength(gear: Uint32Array, data: Uint8Array, from: number, to: number): number {
  const size = to - from;
  if (size <= CHUNK_MIN_BYTES) return size;
  const end = from + Math.min(size, CHUNK_MAX_BYTES);
  const middle = Math.min(end, from + CHUNK_AVERAGE_BYTES);
  let hash = 0;
  let at = from + CHUNK_MIN_BYTES;
  for (; at < middle; at += 1) {
    hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
    if ((hash & STRICT_MASK) === 0) return at + 1 - from;
  }
  for (; at < end; at += 1) {
    hash = ((hash << 1) + (gear[data[at] as number] as number)) | 0;
    if ((hash & LAX_MASK) === 0) return at + 1 - from;
  }
  return end - from;
}

/** Cuts a stream into chunks: `push` gives those that are complete, `finish` the rest. */
export interface Chunker {
  push(data: Buffer): Buffer[];
  finish(): Buffer[];
}

export function createChunker(gear: Uint32Array): Chunker {
  let held: Buffer = Buffer.alloc(0);

  function take(isLast: boolean): Buffer[] {
    const chunks: Buffer[] = [];
    let at = 0;
    while (at < held.byteLength && (isLast || held.byteLength - at >= CHUNK_MAX_BYTES)) {
      const length = firstChunkLength(gear, held, at, held.byteLength);
      chunks.push(held.subarray(at, at + length));
      at += length;
    }
    held = held.subarray(at);
    return chunks;
  }

  return {
    push(data) {
      held = held.byteLength === 0 ? data : Buffer.concat([held, data]);
      const chunks = take(false);
      held = Buffer.from(held);
      return chunks;
    },
    finish: () => take(true),
  };
}
