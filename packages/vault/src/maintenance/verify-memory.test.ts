import { describe, expect, it } from 'vitest';
import { aVaultWorld, collectAll, commitTexts, type VaultWorld } from '../../testing/builders.ts';
import {
  createMemoryBlobStore,
  type BlobStore,
  type Damage,
  type RememberedJournal,
  type VaultMemory,
  type VerifyReport,
} from '../index.ts';

/** What a catalog keeps: heads and points of each resource, and the newest evidence. */
interface Remembering extends VaultMemory {
  readonly journals: Map<string, RememberedJournal>;
  readonly kept: string[];
  readonly documentsKept: { readonly documentId: string; readonly title: string }[];
}

function aMemory(): Remembering {
  const journals = new Map<string, RememberedJournal>();
  const kept: string[] = [];
  const documents: { readonly documentId: string; readonly title: string }[] = [];
  return {
    journals,
    kept,
    documentsKept: documents,
    async *resources() {
      yield* journals.keys();
    },
    journal: async (resourceId) => journals.get(resourceId),
    evidence: async () => kept.slice(-1),
    async *documents() {
      yield* documents;
    },
  };
}

async function copyOf(store: BlobStore): Promise<BlobStore> {
  const copy = createMemoryBlobStore();
  for await (const { name } of store.list('')) await copy.put(name, [await store.get(name)]);
  return copy;
}

/** Two resources of four points each and two pieces of evidence; what was there after the second point, and what is remembered of the end. */
async function aRememberedVault(): Promise<{ world: VaultWorld; memory: Remembering; older: BlobStore }> {
  const world = await aVaultWorld();
  const memory = aMemory();
  const vault = await world.open();
  let older = world.store;
  for (let round = 1; round <= 4; round += 1) {
    for (const resource of ['one', 'two']) {
      const head = await commitTexts(vault, resource, { [`${resource}-${round}`]: `Subject: ${round}\r\n\r\n${resource.repeat(900)}` });
      const points = [...(memory.journals.get(resource)?.points ?? []), head.sequence];
      memory.journals.set(resource, { head, points });
    }
    if (round % 2 === 0) memory.kept.push((await vault.maintenance.verify({ depth: 'data', memory })).evidence ?? '');
    if (round === 2) older = await copyOf(world.store);
  }
  await vault.close();
  return { world, memory, older };
}

async function verified(world: VaultWorld, store: BlobStore, memory?: VaultMemory): Promise<VerifyReport> {
  const vault = await world.open({ store });
  try {
    return await vault.maintenance.verify({ depth: 'data', ...(memory ? { memory } : {}) });
  } finally {
    await vault.close();
  }
}

const differences = (report: VerifyReport) =>
  report.damages.flatMap(({ difference, resourceId }) => (difference ? [`${resourceId} ${difference}`] : []));
const lost = (report: VerifyReport) =>
  Object.fromEntries(
    report.damages.flatMap(({ resourceId, lostPoints }: Damage) => (lostPoints ? [[resourceId, lostPoints.sequences]] : [])),
  );

/** The objects of a journal, those of its copies after them. */
async function journalOf(store: BlobStore, resource: string, world: VaultWorld): Promise<string[]> {
  const vault = await world.open({ store });
  const { heads } = await vault.maintenance.witnessHeads();
  await vault.close();
  const keys = new Set((await collectAll(store.list('journal/'))).map(({ name }) => name.split('/')[1]));
  for (const key of keys) {
    const names = [...(await collectAll(store.list(`journal/${key}/`))), ...(await collectAll(store.list(`copies/${key}/`)))].map(
      ({ name }) => name,
    );
    const cut = await copyOf(store);
    for (const name of names) await cut.delete(name);
    const without = await world.open({ store: cut });
    const left = (await without.maintenance.witnessHeads()).heads.map(({ resourceId }) => resourceId);
    await without.close();
    if (heads.length > left.length && !left.includes(resource)) return names;
  }
  throw new Error(`There is no journal of ${resource}.`);
}

describe('a verify that is held against what is remembered', () => {
  it('raises no alarm on an intact vault, nor on one that is ahead of what is remembered', async () => {
    const { world, memory } = await aRememberedVault();
    expect(await verified(world, world.store, memory)).toMatchObject({ damages: [], affectedItemCount: 0 });
    const vault = await world.open();
    await commitTexts(vault, 'one', { late: 'committed, and not in the catalog yet' });
    await commitTexts(vault, 'three', { first: 'of a resource that the catalog does not know yet' });
    await vault.close();
    expect(await verified(world, world.store, memory)).toMatchObject({ damages: [], affectedItemCount: 0 });
  });

  it('names each journal and point of a vault that was rolled back, and the evidence that went with it', async () => {
    const { world, memory, older } = await aRememberedVault();
    const report = await verified(world, older, memory);
    expect(differences(report)).toEqual(expect.arrayContaining(['one older', 'two older']));
    expect(lost(report)).toEqual({ one: [3, 4], two: [3, 4] });
    expect(report.damages.filter(({ object }) => object === 'evidence').map(({ name }) => name)).toEqual(memory.kept.slice(-1));
  });

  it('names a journal that is gone, all of its points, and nothing of the other', async () => {
    const { world, memory } = await aRememberedVault();
    const store = await copyOf(world.store);
    for (const name of await journalOf(store, 'two', world)) await store.delete(name);
    const report = await verified(world, store, memory);
    expect(differences(report)).toEqual(['two missing']);
    expect(lost(report)).toEqual({ two: [1, 2, 3, 4] });
  });

  it('tells points that a prune gave up apart from lost ones', async () => {
    const { world, memory } = await aRememberedVault();
    const vault = await world.open();
    await vault.maintenance.prune({ policy: { keepsPoint: ({ resourceId, sequence }) => resourceId !== 'two' || sequence > 2 } });
    await vault.close();
    const { damages } = await verified(world, world.store, memory);
    expect(damages).toMatchObject([{ object: 'points', resourceId: 'two', isPruned: true, lostPoints: { count: 2, sequences: [1, 2] } }]);
  });

  it('names everything where only the header is left', async () => {
    const { world, memory } = await aRememberedVault();
    const store = await copyOf(world.store);
    for (const folder of ['packs/', 'journal/', 'copies/', 'evidence/']) {
      for await (const { name } of store.list(folder)) await store.delete(name);
    }
    const report = await verified(world, store, memory);
    expect(new Set(differences(report))).toEqual(new Set(['one missing', 'two missing']));
    expect(lost(report)).toEqual({ one: [1, 2, 3, 4], two: [1, 2, 3, 4] });
    expect((await verified(world, store)).damages).toEqual([]);
  });

  it('names a history that went another way', async () => {
    const { world, memory, older } = await aRememberedVault();
    const vault = await world.open({ store: older });
    for (let round = 0; round < 3; round += 1) await commitTexts(vault, 'one', { [`other-${round}`]: 'another history' });
    await vault.close();
    expect(differences(await verified(world, older, memory))).toEqual(expect.arrayContaining(['one forked', 'two older']));
  });

  it.each([
    ['first', 1, [1, 2, 3, 4]],
    ['middle', 2, [2, 3, 4]],
    ['newest', 4, [4]],
  ] as const)('names the points that a lost %s segment takes away with its copy, and none without', async (_, sequence, points) => {
    const { world, memory } = await aRememberedVault();
    for (const how of ['delete', 'flip'] as const) {
      const store = await copyOf(world.store);
      const both = (await journalOf(store, 'one', world)).filter((name) => new RegExp(`/0*${sequence}-`).test(name));
      expect(both).toHaveLength(2);
      const damage = async (name: string): Promise<void> => {
        const data = await store.get(name);
        data[200] = (data[200] ?? 0) ^ 1;
        await (how === 'delete' ? store.delete(name) : store.put(name, [data]));
      };
      await damage(both[0] ?? '');
      const alone = await verified(world, store, memory);
      expect(alone.damages.map(({ object, name }) => [object, name])).toEqual([['segment', both[0]]]);
      await damage(both[1] ?? '');
      const report = await verified(world, store, memory);
      expect(report.damages.map(({ object }) => object)).toContain('segment');
      expect(lost(report)).toEqual({ one: points });
      expect(report.damages.find(({ object }) => object === 'points')?.lostCommits).toEqual([sequence]);
    }
  });

  it('misses no point that retention gives up meanwhile', async () => {
    const { world, memory } = await aRememberedVault();
    const store = await copyOf(world.store);
    for (const name of await journalOf(store, 'one', world)) if (/\/0*4-/.test(name)) await store.delete(name);
    let asked = 0;
    const journal = async (resourceId: string) => {
      const remembered = memory.journals.get(resourceId);
      if (resourceId !== 'one' || !remembered) return remembered;
      asked += 1;
      return asked % 2 === 0 ? { ...remembered, points: [1, 2, 3] } : remembered;
    };
    expect(lost(await verified(world, store, { ...memory, journal }))).toEqual({});
    expect(lost(await verified(world, store, memory))).toEqual({ one: [4] });
  });

  it('takes a list that was stale once for no loss', async () => {
    const { world, memory } = await aRememberedVault();
    let isStale = true;
    const store: BlobStore = {
      ...world.store,
      async *list(prefix, after) {
        const names = await collectAll(world.store.list(prefix, after));
        const isJournal = /^journal\/.+/.test(prefix);
        yield* isJournal && isStale ? names.slice(0, -2) : names;
        if (isJournal) isStale = false;
      },
    };
    expect(differences(await verified(world, store, memory))).toEqual([]);
  });
});

describe('evidence', () => {
  it.each(['delete', 'flip', 'cut', 'empty', 'swap'] as const)('is itself checked: %s', async (how) => {
    const { world, memory } = await aRememberedVault();
    const names = (await collectAll(world.store.list('evidence/'))).map(({ name }) => name);
    expect(names).toHaveLength(2);
    for (const [at, name] of names.entries()) {
      const store = await copyOf(world.store);
      const data = await store.get(name);
      const flipped = Buffer.from(data);
      flipped[20] = (flipped[20] ?? 0) ^ 1;
      const instead = { flip: flipped, cut: data.subarray(0, -5), empty: Buffer.alloc(0), swap: await store.get(names[1 - at] ?? '') };
      await (how === 'delete' ? store.delete(name) : store.put(name, [instead[how]]));
      const { damages } = await verified(world, store, memory);
      expect(damages.map(({ object, name: found }) => `${object} ${found}`)).toEqual([`evidence ${name}`]);
    }
  });

  it('that nobody can bring back is given up by a repair, and missed no more', async () => {
    const { world, memory } = await aRememberedVault();
    const [first = ''] = memory.kept;
    await world.store.delete(first);
    const vault = await world.open();
    const report = await vault.maintenance.verify({ depth: 'structure', memory });
    expect(await vault.maintenance.repair({ report })).toMatchObject({ remainingDamages: [], givenUpEvidence: [first] });
    expect((await vault.maintenance.verify({ depth: 'structure', memory })).damages).toEqual([]);
    await vault.close();
  });

  it('comes back from a second copy', async () => {
    const { world, memory } = await aRememberedVault();
    const [first = ''] = memory.kept;
    const copy = await copyOf(world.store);
    await world.store.put(first, [Buffer.alloc(0)]);
    const vault = await world.open();
    const report = await vault.maintenance.verify({ depth: 'structure', memory });
    expect(await vault.maintenance.repair({ report, secondCopy: copy })).toMatchObject({ remainingDamages: [], givenUpEvidence: [] });
    expect(await world.store.get(first)).toEqual(await copy.get(first));
    await vault.close();
  });
});

it.each([1, 2])('the marker of commit %d that is gone is named and written again', async (sequence) => {
  const { world } = await aRememberedVault();
  const marker = (await journalOf(world.store, 'one', world)).find((name) => name.endsWith(`000000000${sequence}.marker`)) ?? '';
  await world.store.delete(marker);
  const vault = await world.open();
  const report = await vault.maintenance.verify({ depth: 'structure' });
  expect(report.damages.map(({ object, name }) => `${object} ${name}`)).toEqual([`marker ${marker}`]);
  expect((await vault.maintenance.repair({ report })).remainingDamages).toEqual([]);
  await vault.close();
});
