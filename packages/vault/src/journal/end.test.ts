import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anItem, aVaultWorld, collectAll, commitTexts } from '../../testing/builders.ts';
import { createMemoryBlobStore, type BlobInfo } from '../index.ts';

const AT = '2026-01-01T00:00:00.000Z';

test('a journal looks at its end alone before a commit, however long it is', async () => {
  const store = createMemoryBlobStore();
  let listed = 0;
  async function* counted(prefix: string, after?: string): AsyncGenerator<BlobInfo, void, undefined> {
    for await (const info of store.list(prefix, after)) {
      listed += 1;
      yield info;
    }
  }
  const vault = await (await aVaultWorld({ store: { ...store, list: counted } })).open();
  const journal = vault.journal('box');
  let expectedHead: Awaited<ReturnType<typeof journal.head>> = null;
  for (let turn = 1; turn <= 60; turn += 1) {
    listed = 0;
    expectedHead = await journal.commit({ expectedHead, fence: 1, runId: 'r', at: AT, cursor: null, changes: [anItem(String(turn))] });
  }
  // The segment and the marker of the last commit, and a copy where the end is not sure.
  expect(listed).toBeLessThanOrEqual(4);
  await vault.close();
});

test('a journal finds the same end as somebody who has never looked, whatever was taken from it meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 6 }), fc.boolean(), async (gone, hasMore) => {
      const world = await aVaultWorld();
      const vault = await world.open({}, { checkpoints: { segments: 3, changes: 100_000 } });
      for (const text of ['one', 'two', 'three', 'four', 'five']) await commitTexts(vault, 'box', { a: text });
      const known = vault.journal('box');
      await known.head();
      if (hasMore) await commitTexts(await world.open(), 'box', { a: 'elsewhere' });
      // The newest names first, so that the end goes more often than the beginning.
      const names = [...(await collectAll(world.store.list('journal/'))), ...(await collectAll(world.store.list('copies/')))]
        .map(({ name }) => name)
        .toSorted((a, b) => (a.replace(/^.*\//u, '') < b.replace(/^.*\//u, '') ? 1 : -1));
      const taken = new Set(gone.flatMap((at) => names[at] ?? []));
      // Whoever has read a segment goes on from it while its marker is there: without the marker, too, both have to look.
      for (const marker of names.filter((name) => name.endsWith('.marker'))) {
        const sequence = marker.replace(/^.*\/(\d+)\.marker$/u, '/$1-');
        if (names.filter((name) => name.includes(sequence)).every((name) => taken.has(name))) taken.add(marker);
      }
      for (const name of taken) await world.store.delete(name);
      const seen = (journal: typeof known) => journal.head().catch((error: unknown) => String(error));
      expect(await seen(known)).toEqual(await seen((await world.open()).journal('box')));
    }),
    { numRuns: 40 },
  );
});
