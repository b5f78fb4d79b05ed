import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import type { BlobStore } from './blob-store.ts';

export interface StoreUnderTest {
  readonly store: BlobStore;
  close(): Promise<void>;
}

async function names(store: BlobStore, prefix: string, after?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of store.list(prefix, after)) found.push(name);
  return found;
}

/** What every blob store keeps. `open` gives an empty store. */
export function describeBlobStore(title: string, open: () => Promise<StoreUnderTest>): void {
  describe(`blob store: ${title}`, () => {
    let opened: StoreUnderTest;
    let store: BlobStore;
    const random = createSeededRandom(7);
    beforeAll(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterAll(async () => opened?.close());

    it('gives back what was put, whole and in ranges', async () => {
      const data = random.bytes(100_000);
      await store.put('a/whole', [data.subarray(0, 10), data.subarray(10)]);
      expect((await store.get('a/whole')).equals(data)).toBe(true);
      expect((await store.get('a/whole', { offset: 99_000, length: 500 })).equals(data.subarray(99_000, 99_500))).toBe(true);
      expect((await store.get('a/whole', { last: 7 })).equals(data.subarray(-7))).toBe(true);
    });

    it('cuts a range at the end of the object', async () => {
      await store.put('a/short', [Buffer.from('0123456789')]);
      expect((await store.get('a/short', { offset: 8, length: 50 })).toString()).toBe('89');
      expect((await store.get('a/short', { last: 500 })).toString()).toBe('0123456789');
      expect((await store.get('a/short', { offset: 10, length: 5 })).byteLength).toBe(0);
      expect((await store.get('a/short', { offset: 3, length: 0 })).byteLength).toBe(0);
    });

    it('keeps an empty object', async () => {
      await store.put('a/empty', []);
      expect((await store.get('a/empty')).byteLength).toBe(0);
      expect((await store.stat('a/empty'))?.sizeBytes).toBe(0);
    });

    it('replaces an object as a whole', async () => {
      await store.put('a/twice', [Buffer.from('a long first version')]);
      await store.put('a/twice', [Buffer.from('second')]);
      expect((await store.get('a/twice')).toString()).toBe('second');
      expect((await store.stat('a/twice'))?.sizeBytes).toBe(6);
    });

    it('says that an object is missing', async () => {
      await expect(store.get('a/none')).rejects.toMatchObject({ code: 'vault.object-missing', details: { object: 'a/none' } });
      await expect(store.get('a/none', { last: 3 })).rejects.toMatchObject({ code: 'vault.object-missing' });
      expect(await store.stat('a/none')).toBeUndefined();
    });

    it('deletes, and deleting again is no error', async () => {
      await store.put('a/gone', [Buffer.from('x')]);
      await store.delete('a/gone');
      await store.delete('a/gone');
      expect(await store.stat('a/gone')).toBeUndefined();
    });

    it('lists in order of names, by prefix and after a name', async () => {
      for (const name of ['l/b/2', 'l/a', 'l/b.x', 'l/b/10', 'l/b-1', 'm/z']) await store.put(name, [Buffer.from(name)]);
      expect(await names(store, 'l/')).toEqual(['l/a', 'l/b-1', 'l/b.x', 'l/b/10', 'l/b/2']);
      expect(await names(store, 'l/b/')).toEqual(['l/b/10', 'l/b/2']);
      expect(await names(store, 'l/b')).toEqual(['l/b-1', 'l/b.x', 'l/b/10', 'l/b/2']);
      expect(await names(store, 'l/', 'l/b.x')).toEqual(['l/b/10', 'l/b/2']);
      expect(await names(store, 'l/', 'l/b/z')).toEqual([]);
      expect(await names(store, 'nothing/')).toEqual([]);
    });

    it('tells sizes and times in lists', async () => {
      await store.put('t/one', [Buffer.from('12345')]);
      for await (const info of store.list('t/')) {
        expect(info.sizeBytes).toBe(5);
        expect(info.modifiedAtMs).toBeGreaterThan(0);
      }
    });

    it.each(['', '/a', '../a', 'a/../b', 'a//b', 'A', 'a b', 'a/', '.hidden', 'a/.writing-1', 'x'.repeat(600)])(
      'refuses %j as a name',
      async (name) => {
        await expect(store.put(name, [])).rejects.toMatchObject({ code: 'vault.bad-input' });
        await expect(store.get(name)).rejects.toMatchObject({ code: 'vault.bad-input' });
      },
    );

    it('lets one of many conditional puts win, where it can', async () => {
      if (!store.abilities.conditionalPut) return;
      const tries = await Promise.allSettled(
        Array.from({ length: 8 }, (_, at) => store.put('c/one', [Buffer.from(`writer ${at}`)], { ifAbsent: true })),
      );
      const winners = tries.flatMap((one, at) => (one.status === 'fulfilled' ? [at] : []));
      expect(winners).toHaveLength(1);
      expect((await store.get('c/one')).toString()).toBe(`writer ${winners[0]}`);
      for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'vault.object-exists' });
    });

    it('refuses to delete what is locked, where it can', async () => {
      if (!store.abilities.objectLock) return;
      const until = new Date(Date.now() + 3_600_000);
      await store.put('k/locked', [Buffer.from('x')], { lock: { mode: 'governance', until } });
      await store.extendLock('k/locked', { mode: 'governance', until: new Date(until.getTime() + 1000) });
      await expect(store.delete('k/locked')).rejects.toMatchObject({ code: 'vault.object-locked' });
      expect((await store.get('k/locked')).toString()).toBe('x');
    });

    it('keeps an object of 40 MB', async () => {
      const data = Buffer.alloc(40 * 1024 * 1024, random.bytes(1_000_003));
      await store.put('big/one', [data]);
      expect((await store.get('big/one')).equals(data)).toBe(true);
      expect((await store.get('big/one', { offset: 39_999_990, length: 5 })).equals(data.subarray(39_999_990, 39_999_995))).toBe(true);
      await store.delete('big/one');
    });

    it('takes twenty writers at once', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, at) => store.put(`p/${at}`, [Buffer.from(String(at))])));
      expect(await names(store, 'p/')).toHaveLength(20);
    });

    it('has no leftovers to remove after whole puts', async () => {
      expect(await store.removeLeftovers(Date.now() - 3_600_000)).toBe(0);
    });
  });
}
