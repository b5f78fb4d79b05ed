import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aFolder, aVaultWorld, commitTexts, textsAt } from '../../testing/builders.ts';
import { describeBlobIndex } from '../../testing/blob-index.contract.ts';
import { createFileBlobIndex } from './file.ts';
import { createMemoryBlobIndex } from './memory.ts';

const VAULT = '018f0000-0000-7000-8000-000000000001';

describeBlobIndex('memory', async () => {
  const index = createMemoryBlobIndex();
  return { index, close: () => index.close() };
});
describeBlobIndex('file', async () => {
  const { folder, remove } = aFolder();
  const index = createFileBlobIndex({ file: path.join(folder, 'index'), vaultId: VAULT });
  return {
    index,
    async close() {
      await index.close();
      remove();
    },
  };
});

it('an index in a file knows after a restart what it knew, and forgets another vault', async () => {
  const { folder, remove } = aFolder();
  const file = path.join(folder, 'index');
  const place = { packId: 'a'.repeat(32), frame: 0, frameOffset: 32, frameLength: 5, blobOffset: 8, blobLength: 1 };
  const first = createFileBlobIndex({ file, vaultId: VAULT });
  await first.addPack(place.packId, [{ blobId: '1'.repeat(40), place }]);
  await first.addPack('b'.repeat(32), [{ blobId: '2'.repeat(40), place: { ...place, packId: 'b'.repeat(32) } }]);
  await first.removePack('b'.repeat(32));
  await first.close();
  const second = createFileBlobIndex({ file, vaultId: VAULT });
  expect(await second.find(['1'.repeat(40), '2'.repeat(40)])).toEqual([place, undefined]);
  await second.close();
  const other = createFileBlobIndex({ file, vaultId: '018f0000-0000-7000-8000-00000000000f' });
  expect(other.blobCount).toBe(0);
  await other.close();
  remove();
});

it('an index in a file that is no index is refused by name', () => {
  const { folder, remove } = aFolder();
  const file = path.join(folder, 'index');
  writeFileSync(file, 'x'.repeat(10_000));
  expect(() => createFileBlobIndex({ file, vaultId: VAULT })).toThrow(expect.objectContaining({ code: 'vault.storage-unavailable' }));
  remove();
});

it('a vault works over an index in a file', async () => {
  const { folder, remove } = aFolder();
  const world = await aVaultWorld();
  const vaultId = (await world.open()).info.vaultId;
  const open = () => world.open({ index: createFileBlobIndex({ file: path.join(folder, 'index'), vaultId }) });
  const vault = await open();
  await commitTexts(vault, 'box', { a: 'one', b: 'two' });
  await vault.close();
  const again = await open();
  expect(await textsAt(again, 'box')).toEqual({ a: 'one', b: 'two' });
  expect((await again.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
  await again.close();
  remove();
});
