import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createMemoryBlobStore, withFaults, type BlobStore } from '../index.ts';
import { deriveVaultKeys } from '../crypto/vault-keys.ts';
import { createPackBuilder } from '../pack/pack-builder.ts';
import { packName } from '../pack/pack.ts';
import { createFrameCache, type FrameAddress } from './frame-cache.ts';

const FRAME_BYTES = 200 * 1024;
const keys = deriveVaultKeys('018f0000-0000-7000-8000-00000000000a', createSecretKey(Buffer.alloc(32, 3)));

/** A pack of frames that do not compress. */
async function aPackOf(count: number) {
  const builder = createPackBuilder(keys);
  const plains = Array.from({ length: count }, () => randomBytes(FRAME_BYTES));
  for (const plain of plains) builder.addFrame('binary', { plain, blobs: [] });
  const { packId, parts, frames } = builder.finish();
  const store = createMemoryBlobStore();
  await store.put(packName(packId), parts);
  const addresses = frames.map((frame, number): FrameAddress => ({
    packId,
    frame: number,
    frameOffset: frame.offset,
    frameLength: frame.length,
  }));
  return { store, plains, addresses };
}

async function endOfTurn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Gives the first two bytes of an answer the other way round. */
function withWrongAnswers(store: BlobStore, answers: number): BlobStore {
  let left = answers;
  return withFaults(store, (operation) => {
    left -= operation === 'get' ? 1 : 0;
    return left < 0 ? undefined : { answer: (data) => Buffer.concat([data.subarray(0, 20), randomBytes(2), data.subarray(22)]) };
  });
}

it('frames that were used last stay, and the memory of those that have to go is given back', async () => {
  const { store, plains, addresses } = await aPackOf(3);
  const cache = createFrameCache(store, keys, 2 * FRAME_BYTES);
  const [first, second, third] = addresses as [FrameAddress, FrameAddress, FrameAddress];
  const opened = await cache.get(first);
  await cache.get(second);
  expect(await cache.get(first)).toBe(opened);
  await cache.get(third);
  await endOfTurn();
  expect(opened.equals(plains[0] as Buffer)).toBe(true);
  await cache.get(second);
  await cache.get(third);
  await endOfTurn();
  expect(opened.byteLength).toBe(0);
  expect((await cache.get(first)).equals(plains[0] as Buffer)).toBe(true);
});

it('who asks for one frame at the same time shares one read, and has it until the turn ends', async () => {
  const { store, plains, addresses } = await aPackOf(2);
  let reads = 0;
  const counting = withFaults(store, (operation) => {
    reads += operation === 'get' ? 1 : 0;
    return undefined;
  });
  const cache = createFrameCache(counting, keys, FRAME_BYTES);
  const wanted = [0, 0, 1, 1, 0];
  const copies = await Promise.all(wanted.map(async (at) => Buffer.from(await cache.get(addresses[at] as FrameAddress))));
  for (const [place, at] of wanted.entries()) expect(copies[place]?.equals(plains[at] as Buffer)).toBe(true);
  expect(reads).toBe(2);
});

it('a frame that came over the wire wrong is read once more, one that lies there wrong is damaged', async () => {
  const { store, plains, addresses } = await aPackOf(1);
  const [address] = addresses as [FrameAddress];
  const cache = createFrameCache(withWrongAnswers(store, 1), keys, FRAME_BYTES);
  expect((await cache.get(address)).equals(plains[0] as Buffer)).toBe(true);
  await expect(createFrameCache(withWrongAnswers(store, 2), keys, FRAME_BYTES).get(address)).rejects.toMatchObject({
    code: 'vault.damaged',
  });
  const gone = createFrameCache(createMemoryBlobStore(), keys, FRAME_BYTES);
  await expect(gone.get(address)).rejects.toMatchObject({ code: 'vault.object-missing' });
});
