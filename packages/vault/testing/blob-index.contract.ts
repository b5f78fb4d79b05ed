import { afterEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { BlobIndex, IndexedBlob } from '../src/index/blob-index.ts';

const packId = (number: number): string => String(number).padStart(32, 'a');
const blobId = (number: number): string => String(number).padStart(40, '0');

function blobsOf(pack: number, ids: readonly number[]): IndexedBlob[] {
  return ids.map((id) => ({
    blobId: blobId(id),
    place: { packId: packId(pack), frame: 2, frameOffset: 32 + id, frameLength: 4_000_000_000, blobOffset: 20, blobLength: id },
  }));
}

/** What every index keeps. `open` gives an empty one. */
export function describeBlobIndex(title: string, open: () => Promise<{ index: BlobIndex; close(): Promise<void> }>): void {
  describe(`blob index: ${title}`, () => {
    const opened: { close(): Promise<void> }[] = [];
    async function anIndex(): Promise<BlobIndex> {
      const one = await open();
      opened.push(one);
      return one.index;
    }
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });

    it('finds what was added, in the order of the question', async () => {
      const index = await anIndex();
      await index.addPack(packId(1), blobsOf(1, [1, 2, 3]));
      const [second, none, first] = await index.find([blobId(2), blobId(9), blobId(1)]);
      expect(second).toEqual(blobsOf(1, [2])[0]?.place);
      expect(none).toBeUndefined();
      expect(first?.blobLength).toBe(1);
      expect((await index.lacking([blobId(9), blobId(2), blobId(8)])).toSorted()).toEqual([blobId(8), blobId(9)]);
      expect(await index.lacking([])).toEqual([]);
      expect(index.blobCount).toBe(3);
      await index.flush();
    });

    it('gives the pack that was added last, and the other one when that is gone', async () => {
      const index = await anIndex();
      await index.addPack(packId(1), blobsOf(1, [1, 2]));
      await index.addPack(packId(2), blobsOf(2, [2, 3]));
      expect((await index.find([blobId(2)]))[0]?.packId).toBe(packId(2));
      expect(await index.blobsOf(packId(1))).toEqual([blobId(1)]);
      await index.removePack(packId(2));
      expect((await index.find([blobId(2), blobId(3)])).map((place) => place?.packId)).toEqual([packId(1), undefined]);
      expect((await index.blobsOf(packId(1))).toSorted()).toEqual([blobId(1), blobId(2)]);
    });

    it('may be told the same twice', async () => {
      const index = await anIndex();
      for (let round = 0; round < 2; round += 1) await index.addPack(packId(1), blobsOf(1, [1]));
      expect(await Array.fromAsync(index.packs())).toEqual([packId(1)]);
      for (let round = 0; round < 2; round += 1) await index.removePack(packId(1));
      expect(await Array.fromAsync(index.packs())).toEqual([]);
      expect(await index.find([blobId(1)])).toEqual([undefined]);
      await index.addPack(packId(1), blobsOf(1, [1]));
      expect((await index.find([blobId(1)]))[0]?.packId).toBe(packId(1));
    });

    it('behaves as a simple model does', async () => {
      const action = fc.oneof(
        fc.record({
          pack: fc.integer({ min: 0, max: 3 }),
          ids: fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 5 }),
        }),
        fc.record({ pack: fc.integer({ min: 0, max: 3 }), ids: fc.constant(undefined) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 15 }), async (actions) => {
          const index = await anIndex();
          const model = new Map<number, Set<number>>();
          for (const { pack, ids } of actions) {
            model.delete(pack);
            if (ids) {
              model.set(pack, new Set(ids));
              await index.addPack(packId(pack), blobsOf(pack, ids));
            } else await index.removePack(packId(pack));
          }
          const all = Array.from({ length: 9 }, (_, id) => id);
          const found = await index.find(all.map(blobId));
          const lacking = await index.lacking(all.map(blobId));
          for (const id of all) {
            const has = [...model].filter(([, ids]) => ids.has(id)).map(([pack]) => packId(pack));
            expect(lacking.includes(blobId(id))).toBe(has.length === 0);
            if (has.length === 0) expect(found[id]).toBeUndefined();
            else expect(has).toContain(found[id]?.packId);
          }
        }),
        { numRuns: 30 },
      );
    });
  });
}
