import { describe, expect, it } from 'vitest';
import type { Catalog, CatalogSegment } from '../src/ports/catalog.ts';
import type { ItemVersion } from '../src/ports/item.ts';
import { aSegment, anItem } from './builders.ts';

async function all(source: AsyncIterable<ItemVersion>): Promise<ItemVersion[]> {
  const out: ItemVersion[] = [];
  for await (const item of source) out.push(item);
  return out;
}

async function applyAll(catalog: Catalog, segments: readonly CatalogSegment[]): Promise<void> {
  for (const segment of segments) await catalog.apply(segment);
}

/** What every catalog promises; run for the one in memory and for the one in PostgreSQL. `resourceIds` are two that the store knows. */
export function catalogContract(name: string, create: () => Promise<{ catalog: Catalog; resourceIds: readonly [string, string] }>): void {
  describe(`${name} keeps the promises of a catalog`, () => {
    it('knows no head, no points and no items before the first segment', async () => {
      const { catalog, resourceIds } = await create();
      expect(await catalog.head(resourceIds[0])).toBeUndefined();
      expect(await catalog.points(resourceIds[0])).toEqual([]);
      expect(await all(catalog.items(resourceIds[0], undefined))).toEqual([]);
      expect((await catalog.lookup(resourceIds[0], ['x'])).size).toBe(0);
    });

    it('returns an item exactly as it was put', async () => {
      const { catalog, resourceIds } = await create();
      const item = anItem('a', {
        properties: { nested: { list: [1, 'two', null, true] }, text: 'grün \u{1F600}' },
        contents: [
          { role: 'mime', ref: { sha256: 'ff', sizeBytes: 5, depth: 0, pieces: [['aa', 5, 'b64']] }, label: 'l', mediaType: 'text/plain' },
        ],
        createdAt: '2026-01-01T00:00:00Z',
        modifiedAt: '2026-01-02T00:00:00.123Z',
        sizeBytes: 5_000_000_000,
      });
      await catalog.apply(aSegment(resourceIds[0], 1, { put: [item] }));
      expect((await catalog.lookup(resourceIds[0], ['a'])).get('a')).toEqual(item);
      expect(await all(catalog.items(resourceIds[0], 1))).toEqual([item]);
    });

    it('shows each restore point as it was, also those in the middle', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      const first = anItem('a', { name: 'one' });
      const second = anItem('a', { name: 'two' });
      const other = anItem('b');
      await applyAll(catalog, [
        aSegment(id, 1, { put: [first, other] }),
        aSegment(id, 2, { put: [second] }),
        aSegment(id, 3, { removed: ['a'] }),
      ]);
      expect(await all(catalog.items(id, 1))).toEqual([first, other]);
      expect(await all(catalog.items(id, 2))).toEqual([second, other]);
      expect(await all(catalog.items(id, 3))).toEqual([other]);
      expect(await all(catalog.items(id, undefined))).toEqual([other]);
      expect((await catalog.lookup(id, ['a', 'b'])).has('a')).toBe(false);
    });

    it('takes an item back that was removed before', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      await applyAll(catalog, [
        aSegment(id, 1, { put: [anItem('a')] }),
        aSegment(id, 2, { removed: ['a'] }),
        aSegment(id, 3, { put: [anItem('a', { name: 'again' })] }),
      ]);
      expect(await all(catalog.items(id, 2))).toEqual([]);
      expect((await all(catalog.items(id, 3)))[0]?.name).toBe('again');
    });

    it('takes lost commits, the first and one in the middle, of which nothing is known', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      const unknown = { hash: '0'.repeat(64), runId: '', committedAt: '', cursor: '', point: false };
      await applyAll(catalog, [
        { ...aSegment(id, 1), ...unknown },
        aSegment(id, 2, { put: [anItem('a')] }),
        { ...aSegment(id, 3), ...unknown },
        aSegment(id, 4, { put: [anItem('b')] }),
      ]);
      expect((await catalog.points(id)).map(({ sequence }) => sequence)).toEqual([2, 4]);
      expect((await all(catalog.items(id, 4))).map(({ key }) => key)).toEqual(['a', 'b']);
      expect((await catalog.head(id))?.sequence).toBe(4);
    });

    it('filters by parent, by kind and by keys', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      const folder = anItem('f', { kind: 'mailFolder', parentKey: null });
      const inside = anItem('m', { parentKey: 'f' });
      await catalog.apply(aSegment(id, 1, { put: [folder, inside] }));
      expect(await all(catalog.items(id, 1, { parentKey: null }))).toEqual([folder]);
      expect(await all(catalog.items(id, 1, { parentKey: 'f' }))).toEqual([inside]);
      expect(await all(catalog.items(id, 1, { kinds: ['mailFolder'] }))).toEqual([folder]);
      expect(await all(catalog.items(id, 1, { keys: ['m', 'none'] }))).toEqual([inside]);
    });

    it('tells what the selection leaves out, and no longer once it is taken', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      const folder = anItem('f', { kind: 'mailFolder', parentKey: null });
      const junk = anItem('j', { kind: 'mailFolder', parentKey: null, properties: { notProtected: 'junk' } });
      await catalog.apply(aSegment(id, 1, { put: [folder, junk] }));
      expect(await all(catalog.items(id, undefined, { notProtected: true }))).toEqual([junk]);
      await catalog.apply(aSegment(id, 2, { put: [anItem('j', { kind: 'mailFolder', parentKey: null })] }));
      expect(await all(catalog.items(id, undefined, { notProtected: true }))).toEqual([]);
      expect(await all(catalog.items(id, 1, { notProtected: true }))).toEqual([junk]);
    });

    it('lists only segments that are restore points', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      await applyAll(catalog, [aSegment(id, 1, { point: false, put: [anItem('a')] }), aSegment(id, 2, { runId: 'r2' })]);
      expect((await catalog.points(id)).map((point) => point.sequence)).toEqual([2]);
    });

    it('remembers the head with its cursor', async () => {
      const { catalog, resourceIds } = await create();
      const segment = aSegment(resourceIds[0], 1, { cursor: '{"x":1}' });
      await catalog.apply(segment);
      expect(await catalog.head(resourceIds[0])).toEqual({ sequence: 1, hash: segment.hash, cursor: '{"x":1}' });
    });

    it('changes nothing when the head is applied again', async () => {
      const { catalog, resourceIds } = await create();
      const segment = aSegment(resourceIds[0], 1, { put: [anItem('a')] });
      await applyAll(catalog, [segment, segment]);
      expect(await catalog.points(resourceIds[0])).toHaveLength(1);
      expect(await all(catalog.items(resourceIds[0], undefined))).toHaveLength(1);
    });

    it('refuses a gap and a fork and changes nothing', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      await expect(catalog.apply(aSegment(id, 2))).rejects.toMatchObject({ code: 'catalog.gap' });
      await catalog.apply(aSegment(id, 1));
      await expect(catalog.apply(aSegment(id, 1, { hash: 'other' }))).rejects.toMatchObject({ code: 'catalog.fork' });
      await expect(catalog.apply(aSegment(id, 3))).rejects.toMatchObject({ code: 'catalog.gap' });
      expect((await catalog.head(id))?.sequence).toBe(1);
    });

    it('keeps resources apart', async () => {
      const { catalog, resourceIds } = await create();
      await catalog.apply(aSegment(resourceIds[0], 1, { put: [anItem('a')] }));
      expect(await all(catalog.items(resourceIds[1], undefined))).toEqual([]);
      await catalog.apply(aSegment(resourceIds[1], 1, { put: [anItem('a', { name: 'theirs' })] }));
      expect((await catalog.lookup(resourceIds[0], ['a'])).get('a')?.name).not.toBe('theirs');
    });

    it('forgets given-up points and the versions that only they showed', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      await applyAll(catalog, [
        aSegment(id, 1, { put: [anItem('a', { name: 'one' }), anItem('b')] }),
        aSegment(id, 2, { put: [anItem('a', { name: 'two' })] }),
        aSegment(id, 3, { removed: ['b'] }),
      ]);
      await catalog.forgetPoints(id, [1]);
      expect((await catalog.points(id)).map((point) => point.sequence)).toEqual([2, 3]);
      expect((await all(catalog.items(id, 2))).map((item) => item.name)).toEqual(['two', 'b']);
      await catalog.forgetPoints(id, [2]);
      expect((await all(catalog.items(id, 3))).map((item) => item.key)).toEqual(['a']);
    });

    it('takes what is erased out of every point, and knows that it was erased', async () => {
      const { catalog, resourceIds } = await create();
      const [id] = resourceIds;
      const keys = ['a'.repeat(64), 'b'.repeat(64)] as const;
      await applyAll(catalog, [
        aSegment(id, 1, { put: [anItem(keys[0]), anItem(keys[1])] }),
        aSegment(id, 2, { put: [anItem(keys[0], { name: 'two' })] }),
        aSegment(id, 3, { erased: { keys: [keys[0]], why: { reason: 'a request' } } }),
      ]);
      for (const sequence of [1, 2, 3, undefined])
        expect((await all(catalog.items(id, sequence))).map(({ key }) => key)).toEqual([keys[1]]);
      expect((await catalog.points(id)).map((point) => point.sequence)).toEqual([1, 2, 3]);
      expect(await catalog.erased(id, keys)).toEqual(new Set([keys[0]]));
      expect(await catalog.erased(resourceIds[1], keys)).toEqual(new Set());
    });

    it('streams 5,000 items of one segment in the order of their keys', async () => {
      const { catalog, resourceIds } = await create();
      const put = Array.from({ length: 5_000 }, (_, index) => anItem(`k${String(index).padStart(5, '0')}`));
      await catalog.apply(aSegment(resourceIds[0], 1, { put: [...put].reverse() }));
      const keys = (await all(catalog.items(resourceIds[0], 1))).map((item) => item.key);
      expect(keys).toEqual(put.map((item) => item.key));
    });
  });
}
