import { expect, it } from 'vitest';
import { aVaultWorld, commitTexts } from '../../testing/builders.ts';
import { createMemoryBlobStore, type BlobStore, type VaultMemory } from '../index.ts';

const REPORT = '6a1f0d3e-0000-4000-8000-000000000001';
const MINUTES = '6a1f0d3e-0000-4000-8000-000000000002';
const at = (documentId: string): string => `documents/${documentId}`;

async function copyOf(store: BlobStore): Promise<BlobStore> {
  const copy = createMemoryBlobStore();
  for await (const { name } of store.list('')) await copy.put(name, [await store.get(name)]);
  return copy;
}

/** A vault with two documents, somebody who remembers them, and a copy of it. */
async function aScene() {
  const world = await aVaultWorld();
  const vault = await world.open();
  const head = await commitTexts(vault, 'box', { a: 'Subject: a\r\n\r\na' });
  await vault.documents.put(REPORT, Buffer.from('the report'));
  await vault.documents.put(MINUTES, Buffer.from('the minutes'));
  const remembered = new Map([
    [REPORT, 'Report.pdf'],
    [MINUTES, 'Minutes.pdf'],
  ]);
  const memory: VaultMemory = {
    async *resources() {
      yield 'box';
    },
    journal: async () => ({ head, points: [] }),
    evidence: async () => [],
    async *documents() {
      for (const [documentId, title] of remembered) yield { documentId, title };
    },
  };
  const secondCopy = await copyOf(world.store);
  const verified = () => vault.maintenance.verify({ depth: 'structure', memory });
  return { store: world.store, vault, remembered, secondCopy, verified };
}

const ways: Readonly<Record<string, (store: BlobStore) => Promise<unknown>>> = {
  flipped: async (store) => {
    const data = await store.get(at(REPORT));
    data[20] = (data[20] ?? 0) ^ 4;
    await store.put(at(REPORT), [data]);
  },
  'cut short': async (store) => store.put(at(REPORT), [(await store.get(at(REPORT))).subarray(0, -3)]),
  emptied: (store) => store.put(at(REPORT), []),
  'taken away': (store) => store.delete(at(REPORT)),
  'another one': async (store) => store.put(at(REPORT), [await store.get(at(MINUTES))]),
};

it.each(Object.keys(ways))('names a document that is %s, and gives it back from a second copy', async (way) => {
  const { store, vault, secondCopy, verified } = await aScene();
  expect((await verified()).damages).toEqual([]);
  await ways[way]?.(store);
  const report = await verified();
  expect(report.damages).toMatchObject([{ object: 'document', name: at(REPORT), title: 'Report.pdf' }]);
  expect(await vault.maintenance.repair({ report })).toMatchObject({ steps: [] });
  const { steps } = await vault.maintenance.repair({ report, secondCopy });
  expect(steps).toEqual([{ name: at(REPORT), source: 'second-copy' }]);
  expect((await vault.documents.get(REPORT)).toString()).toBe('the report');
  expect((await verified()).damages).toEqual([]);
});

it('misses no document that is deleted while it looks, nor one that nobody remembers', async () => {
  const { store, remembered, verified, vault } = await aScene();
  remembered.delete(REPORT);
  await store.delete(at(REPORT));
  expect((await verified()).damages).toEqual([]);
  await vault.documents.remove(MINUTES);
  const entries = remembered.entries.bind(remembered);
  let asked = 0;
  remembered[Symbol.iterator] = () => {
    asked += 1;
    if (asked > 1) remembered.delete(MINUTES);
    return entries();
  };
  expect((await verified()).damages).toEqual([]);
  expect(asked).toBe(2);
});
