import { testDatabase } from '@holdfast/database/testing/test-database';
import type { IndexedBlob } from '@holdfast/vault';
import { describeBlobIndex } from '@holdfast/vault/testing/blob-index.contract';
import { expect, test } from 'vitest';
import { aGround } from '../../testing/rows.ts';
import { openBlobIndex } from './blob-index.store.ts';

const { database } = testDatabase(import.meta.url);

function aBlob(number: number, packId: string): IndexedBlob {
  const blobId = number.toString(16).padStart(64, '0');
  return { blobId, place: { packId, frame: 1, frameOffset: 5_000_000_000, frameLength: 10, blobOffset: number, blobLength: 3 } };
}

describeBlobIndex('PostgreSQL', async () => {
  const ground = await aGround(database);
  const index = await openBlobIndex({ database, ...ground });
  return { index, close: () => index.close() };
});

test('answers in the order asked, for what is there and what is not', async () => {
  const ground = await aGround(database);
  const index = await openBlobIndex({ database, ...ground });
  const blobs = Array.from({ length: 5_000 }, (_, number) => aBlob(number, 'p1'));
  await index.addPack('p1', blobs);
  expect(index.blobCount).toBe(5_000);
  const asked = [blobs[4_999]!, aBlob(6_000, 'p1'), blobs[0]!];
  expect(await index.find(asked.map((blob) => blob.blobId))).toEqual([blobs[4_999]!.place, undefined, blobs[0]!.place]);
});

test('what one worker adds another finds, and another location does not', async () => {
  const ground = await aGround(database);
  const other = await aGround(database);
  await (await openBlobIndex({ database, ...ground })).addPack('p1', [aBlob(1, 'p1')]);
  const second = await openBlobIndex({ database, ...ground });
  expect(second.blobCount).toBe(1);
  expect((await second.find([aBlob(1, 'p1').blobId]))[0]?.packId).toBe('p1');
  expect(await (await openBlobIndex({ database, ...other })).find([aBlob(1, 'p1').blobId])).toEqual([undefined]);
});
