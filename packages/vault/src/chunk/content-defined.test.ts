import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import { freshRoom } from './batch-room.ts';
import { CHUNK_AVERAGE_BYTES, CHUNK_MAX_BYTES, CHUNK_MIN_BYTES, createChunker } from './content-defined.ts';

const random = createSeededRandom(5);
const gear = Uint32Array.from({ length: 256 }, () => random.below(2 ** 32));
const data = random.bytes(3_000_000);

function chunksOf(source: Buffer, sizes: readonly number[] = [source.byteLength]): Buffer[] {
  const chunker = createChunker(gear);
  const chunks: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < source.byteLength; turn += 1) {
    const size = sizes[turn % sizes.length] ?? source.byteLength;
    chunks.push(...chunker.push(source.subarray(at, at + size), false, freshRoom).map((chunk) => Buffer.from(chunk)));
    at += size;
  }
  return [...chunks, ...chunker.push(Buffer.alloc(0), true, freshRoom)];
}

describe('content-defined chunks', () => {
  it('are the content again, within their bounds and near their average', () => {
    const chunks = chunksOf(data);
    expect(Buffer.concat(chunks).equals(data)).toBe(true);
    for (const chunk of chunks.slice(0, -1)) {
      expect(chunk.byteLength).toBeGreaterThan(CHUNK_MIN_BYTES);
      expect(chunk.byteLength).toBeLessThanOrEqual(CHUNK_MAX_BYTES);
    }
    const average = data.byteLength / chunks.length;
    expect(average).toBeGreaterThan(CHUNK_AVERAGE_BYTES / 2);
    expect(average).toBeLessThan(CHUNK_AVERAGE_BYTES * 2);
  });

  it('do not depend on how the content arrives', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 30_000, max: 700_000 }), { minLength: 1, maxLength: 5 }), (sizes) => {
        const lengths = chunksOf(data, sizes).map((chunk) => chunk.byteLength);
        expect(lengths).toEqual(chunksOf(data).map((chunk) => chunk.byteLength));
      }),
      { numRuns: 15 },
    );
  });

  it('stay the same around a change in the middle', () => {
    const changed = Buffer.concat([data.subarray(0, 1_500_000), Buffer.from('a few new bytes'), data.subarray(1_500_000)]);
    const before = new Set(chunksOf(data).map((chunk) => chunk.toString('base64')));
    const kept = chunksOf(changed).filter((chunk) => before.has(chunk.toString('base64')));
    expect(kept.length).toBeGreaterThan(before.size - 4);
  });

  it('of nothing are none', () => {
    expect(chunksOf(Buffer.alloc(0))).toEqual([]);
  });
});
