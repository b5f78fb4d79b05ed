import { expect, test } from 'vitest';
import { collect, once } from './streams.ts';

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts;
}

test('a stream longer than the limit is refused instead of being held', async () => {
  await expect(collect(pieces([Buffer.alloc(10), Buffer.alloc(10)]), 15)).rejects.toThrow('stream.too-long');
  expect(await collect(once(Buffer.from('abc')), 3)).toEqual(Buffer.from('abc'));
});
