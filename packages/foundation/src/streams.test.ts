import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, once, rechunk } from './streams.ts';

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts;
}

test('cutting a stream anew keeps its bytes and makes pieces of exactly the size asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array()), fc.integer({ min: 1, max: 64 }), async (parts, size) => {
      const cut: Buffer[] = [];
      for await (const piece of rechunk(pieces(parts), size)) cut.push(piece);
      expect(Buffer.concat(cut)).toEqual(Buffer.concat(parts));
      expect(cut.slice(0, -1).every((piece) => piece.byteLength === size)).toBe(true);
    }),
  );
});

test('a stream longer than the limit is refused instead of being held', async () => {
  await expect(collect(pieces([Buffer.alloc(10), Buffer.alloc(10)]), 15)).rejects.toThrow('stream.too-long');
  expect(await collect(once(Buffer.from('abc')), 3)).toEqual(Buffer.from('abc'));
});
