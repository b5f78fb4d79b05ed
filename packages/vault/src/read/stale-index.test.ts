import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { aFolder, aVaultWorld, collectAll } from '../../testing/builders.ts';
import type { Piece } from '../index.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import { packName } from '../pack/pack.ts';
import { createMemoryBlobIndex } from '../index/memory.ts';

/** A vault whose blob is in two packs, and an index that has looked at neither since one of them went. */
async function aStaleIndex(leaves: 'one' | 'none') {
  const world = await aVaultWorld();
  const first = await world.open({ index: createMemoryBlobIndex() });
  const second = await world.open({ index: createMemoryBlobIndex() });
  const [one, two] = await Promise.all([first.openWriter({ resourceId: 'a' }), second.openWriter({ resourceId: 'b' })]);
  const text = Buffer.from('the same in both');
  const [content] = await Promise.all([one.put(text, { kind: 'file' }), two.put(text, { kind: 'file' })]);
  await Promise.all([one.close(), two.close()]);
  const packs = await collectAll(world.store.list('packs/'));
  expect(packs).toHaveLength(2);
  const index = createMemoryBlobIndex();
  const reading = await world.open({ index });
  await reading.maintenance.synchroniseIndex();
  const [place] = await index.find([content.pieces[0]?.[0] ?? '']);
  for (const { name } of packs) if (leaves === 'none' || name === packName(place?.packId ?? '')) await world.store.delete(name);
  return { reading, content, text };
}

it('a pack that prune has moved meanwhile is found where its blobs lie now', async () => {
  const { reading, content, text } = await aStaleIndex('one');
  const { folder, remove } = aFolder();
  onTestFinished(remove);
  const file = path.join(folder, 'one');
  const [one] = await collectAll(reading.reader().writeMany([{ key: 1, content, file }]));
  expect(one).toEqual({ key: 1, content });
  expect(readFileSync(file).equals(text)).toBe(true);
  expect((await reading.reader().readAll(content)).equals(text)).toBe(true);
  await reading.close();
});

it('a blob that lies nowhere any more is said to be missing', async () => {
  const { reading, content } = await aStaleIndex('none');
  await expect(reading.reader().readAll(content)).rejects.toMatchObject({ code: 'vault.blob-missing' });
  await reading.close();
});

it('an index that says a wrong place costs an error that names the blob, never a wrong byte', async () => {
  const world = await aVaultWorld();
  const index = createMemoryBlobIndex();
  const vault = await world.open({ index });
  const writer = await vault.openWriter({ resourceId: 'a' });
  const content = await writer.put(Buffer.from('what was asked for'), { kind: 'file' });
  await writer.put(Buffer.from('something other, longer than that'), { kind: 'file' });
  await writer.close();
  const [blobId] = content.pieces[0] as Piece;
  const [place] = (await index.find([blobId])) as [BlobPlace];
  await index.addPack(place.packId, [{ blobId, place: { ...place, blobOffset: place.blobOffset + 1 } }]);
  const isNamed = { code: 'vault.damaged', details: { blobId } };
  await expect(vault.reader().readAll(content)).rejects.toMatchObject(isNamed);
  await expect(collectAll(vault.reader().read(content))).rejects.toMatchObject(isNamed);
  await vault.close();
});
