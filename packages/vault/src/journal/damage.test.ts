import { beforeAll, describe, expect, it } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createMemoryBlobStore, type BlobStore, type ItemChange, type Vault } from '../index.ts';
import { anItem, aVaultWorld, collectAll, commitTexts, textsAt, type VaultWorld } from '../../testing/builders.ts';

const TUNING = { packTargetBytes: 4096, checkpoints: { segments: 3, changes: 100_000 } };
const ROUNDS = 5;
const WAYS = ['flip', 'cut', 'delete', 'swap', 'older copy', 'empty'] as const;
type Way = (typeof WAYS)[number];

interface Scene {
  readonly world: VaultWorld;
  readonly older: BlobStore;
  /** What each point of `box` showed, and the newest of `other`. */
  readonly states: readonly { readonly [itemId: string]: string }[];
  readonly other: { readonly [itemId: string]: string };
  /** By kind, an object and another of its kind. */
  readonly names: { readonly [kind: string]: readonly [string, string] };
}

async function copyOf(store: BlobStore): Promise<BlobStore> {
  const copy = createMemoryBlobStore();
  for await (const { name } of store.list('')) await copy.put(name, [await store.get(name)]);
  return copy;
}

const namesIn = async (store: BlobStore, prefix: string): Promise<string[]> =>
  (await collectAll(store.list(prefix))).map(({ name }) => name);

/** Five points of one resource with a checkpoint at the third, another resource, evidence, and headers that were rotated. */
async function aScene(): Promise<Scene> {
  const world = await aVaultWorld();
  const vault = await world.open({}, TUNING);
  const random = createSeededRandom(7);
  const text = (): string => random.bytes(900).toString('latin1');
  const older = await copyOf(world.store);
  await vault.maintenance.rotateMasterKey();
  const states: { [itemId: string]: string }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const at = `2026-01-0${round}T00:00:00.000Z`;
    await commitTexts(vault, 'box', { [`new-${round}`]: text(), changed: text(), [`new-${round - 2}`]: null }, { at });
    states.push(await textsAt(vault, 'box'));
  }
  const keyOfBox = (await namesIn(world.store, 'journal/'))[0]?.split('/')[1] ?? '';
  await commitTexts(vault, 'other', { a: text(), b: text() });
  await vault.maintenance.verify({ depth: 'data' });
  await vault.maintenance.verify({ depth: 'data' });
  await vault.close();
  const journal = await namesIn(world.store, `journal/${keyOfBox}/`);
  const copies = await namesIn(world.store, `copies/${keyOfBox}/`);
  const segment = (sequence: number): string => journal.find((name) => new RegExp(`/0*${sequence}-`).test(name)) ?? '';
  const marker = (sequence: number): string => journal.find((name) => name.endsWith(`${sequence}.marker`)) ?? '';
  const [first = '', second = ''] = copies;
  const [evidence = '', later = ''] = await namesIn(world.store, 'evidence/');
  const names: Scene['names'] = {
    'first segment': [segment(1), segment(2)],
    'middle segment': [segment(2), segment(3)],
    'segment with the checkpoint': [segment(3), segment(4)],
    'newest segment': [segment(5), segment(4)],
    'copy of a segment': [first, second],
    marker: [marker(2), marker(3)],
    'newest marker': [marker(5), marker(4)],
    header: ['vault.json', 'vault.copy.json'],
    'copy of the header': ['vault.copy.json', 'vault.json'],
    evidence: [evidence, later],
  };
  return { world, older, states, other: await textsOfOther(world), names };
}

async function textsOfOther(world: VaultWorld): Promise<{ [itemId: string]: string }> {
  const vault = await world.open();
  const texts = await textsAt(vault, 'other');
  await vault.close();
  return texts;
}

async function damage(store: BlobStore, scene: Scene, [name, peer]: readonly [string, string], way: Way): Promise<void> {
  const data = await store.get(name);
  const flipped = Buffer.from(data);
  flipped[Math.floor(data.byteLength * 0.4)] = (flipped[Math.floor(data.byteLength * 0.4)] ?? 0) ^ 8;
  if (way === 'flip') return store.put(name, [flipped]);
  if (way === 'cut') return store.put(name, [data.subarray(0, data.byteLength - 7)]);
  if (way === 'delete') return store.delete(name);
  if (way === 'empty') return store.put(name, []);
  if (way === 'swap') {
    await store.put(name, [await store.get(peer)]);
    return store.put(peer, [data]);
  }
  const older = await scene.older.get(name).catch(() => undefined);
  return older ? store.put(name, [older]) : undefined;
}

/** Everything that a reader asks for, with every point of the damaged resource as it was. */
async function expectWhole(vault: Vault, scene: Scene): Promise<void> {
  expect(new Set((await collectAll(vault.resources())).map(({ resourceId }) => resourceId))).toEqual(new Set(['box', 'other']));
  expect(await textsAt(vault, 'other')).toEqual(scene.other);
  for (const [at, state] of scene.states.entries()) expect(await textsAt(vault, 'box', { sequence: at + 1 })).toEqual(state);
  expect(await textsAt(vault, 'box', { time: '2026-01-02T12:00:00Z' })).toEqual(scene.states[1]);
  expect(await textsAt(vault, 'box', { time: '2026-02-01T00:00:00Z' })).toEqual(scene.states.at(-1));
  const feed = await collectAll(vault.maintenance.rebuildCatalogFeed({ resourceId: 'box' }));
  expect(feed.filter(({ type }) => type === 'point')).toHaveLength(ROUNDS);
}

describe('one damaged object of a journal, a header or the evidence costs nothing', async () => {
  const scene = await aScene();
  for (const [kind, names] of Object.entries(scene.names)) {
    it.each(WAYS)(`${kind}: %s`, async (way) => {
      const store = await copyOf(scene.world.store);
      await damage(store, scene, names, way);
      const vault = await scene.world.open({ store }, TUNING);
      await expectWhole(vault, scene);
      const before = await vault.maintenance.verify({ depth: 'data' });
      expect(before).toMatchObject({ affectedItems: [] });
      expect(before.damages.filter(({ object }) => object === 'points')).toEqual([]);
      await vault.maintenance.repair({ report: before });
      expect(await vault.maintenance.verify({ depth: 'data' })).toMatchObject({ damages: [] });
      await expectWhole(vault, scene);
      await commitTexts(vault, 'box', { late: 'after the damage' }, { at: '2026-03-01T00:00:00Z' });
      expect(await textsAt(vault, 'box')).toEqual({ ...scene.states.at(-1), late: 'after the damage' });
      await vault.close();
    });

    it.each(WAYS)(`${kind}: %s, and the next commit goes on without a repair`, async (way) => {
      const store = await copyOf(scene.world.store);
      await damage(store, scene, names, way);
      const vault = await scene.world.open({ store }, TUNING);
      expect(await vault.journal('box').tend()).toEqual([]);
      await commitTexts(vault, 'box', { late: 'after the damage' }, { at: '2026-03-01T00:00:00Z' });
      expect(await textsAt(vault, 'box')).toEqual({ ...scene.states.at(-1), late: 'after the damage' });
      for (const [at, state] of scene.states.entries()) expect(await textsAt(vault, 'box', { sequence: at + 1 })).toEqual(state);
      await vault.close();
    });
  }
});

describe('packs that hold the journal', () => {
  const many = (note: string): ItemChange[] => Array.from({ length: 1_500 }, (_, at) => anItem(`i${at}`, {}, `${note} ${at} `.repeat(20)));
  let world: VaultWorld;
  let packsOf: string[][] = [];

  /** Three commits whose changes are too long for their segments, each flushed into packs of its own; the third has a checkpoint. */
  beforeAll(async () => {
    world = await aVaultWorld();
    const vault = await world.open({}, { ...TUNING, packTargetBytes: 1024 * 1024 });
    packsOf = [];
    for (const note of ['a', 'b', 'c']) {
      const before = new Set(await namesIn(world.store, 'packs/'));
      const journal = vault.journal('box');
      const at = '2026-01-01T00:00:00Z';
      await journal.commit({ expectedHead: await journal.head(), fence: 1, runId: 'r', at, cursor: null, changes: many(note) });
      packsOf.push((await namesIn(world.store, 'packs/')).filter((name) => !before.has(name)));
    }
    expect((await collectAll(vault.journal('box').segments())).map(({ hasCheckpoint }) => hasCheckpoint)).toEqual([false, false, true]);
    await vault.close();
  });

  it.each(['flip', 'cut', 'delete', 'empty'] as const)('cost no change and no state when they are damaged: %s', async (way) => {
    for (const [round, packs] of packsOf.entries()) {
      expect(packs.length, `round ${round}`).toBeGreaterThan(0);
      for (const pack of packs) {
        const store = await copyOf(world.store);
        await damage(store, { older: store } as Scene, [pack, pack], way);
        const vault = await world.open({ store }, TUNING);
        for (const [at, note] of ['a', 'b', 'c'].entries()) {
          const items = await collectAll(vault.journal('box').stateAt({ sequence: at + 1 }));
          expect(items).toHaveLength(1_500);
          expect(new Set(items.map(({ metadata }) => JSON.stringify(metadata)[1]))).toEqual(new Set([note]));
          expect(new Set(items.map(({ itemId }) => itemId)).size).toBe(1_500);
        }
        const report = await vault.maintenance.verify({ depth: 'data' });
        expect(report.damages.filter(({ object }) => object === 'points')).toEqual([]);
        expect((await vault.maintenance.repair({ report })).remainingDamages).toEqual([]);
        await vault.close();
      }
    }
  });

  it('are read by the heads of their frames where an index is damaged', async () => {
    const store = await copyOf(world.store);
    for (const pack of await namesIn(store, 'packs/')) {
      const data = await store.get(pack);
      data[data.byteLength - 30] = (data[data.byteLength - 30] ?? 0) ^ 1;
      await store.put(pack, [data]);
    }
    for await (const { name } of store.list('copies/')) await store.delete(name);
    const vault = await world.open({ store }, TUNING);
    expect(await collectAll(vault.journal('box').stateAt({ sequence: 1 }))).toHaveLength(1_500);
    await vault.close();
  });
});

describe('a segment that is lost with its copy', () => {
  it.each([
    ['first', 1, [1, 2]],
    ['middle', 2, [2]],
    ['with the checkpoint', 3, [3, 4, 5]],
    ['newest', 5, [5]],
  ] as const)('%s: everything that does not depend on it is given, and the loss is named', async (_, sequence, dependent) => {
    const scene = await aScene();
    const [segment] = Object.entries(scene.names).flatMap(([, names]) =>
      names.filter((name) => new RegExp(`journal/.*/0*${sequence}-`).test(name)),
    );
    const store = await copyOf(scene.world.store);
    for (const name of [segment ?? '', (segment ?? '').replace('journal/', 'copies/')]) await store.delete(name);
    const vault = await scene.world.open({ store }, TUNING);
    expect((await collectAll(vault.resources())).map(({ resourceId }) => resourceId).toSorted()).toEqual(['box', 'other']);
    for (const [at, state] of scene.states.entries()) {
      const isDependent = (dependent as readonly number[]).includes(at + 1);
      const lost: number[] = [];
      const items = await collectAll(vault.journal('box').stateAt({ sequence: at + 1 }, { onLost: (one) => void lost.push(one.sequence) }));
      expect(lost, `point ${at + 1}`).toEqual(isDependent ? [sequence] : []);
      // Of the first point nothing is left when its only commit is gone.
      expect(items.length > 0, `point ${at + 1}`).toBe(at > 0 || sequence > 1);
      const strict = await textsAt(vault, 'box', { sequence: at + 1 }).catch((error: { readonly code: string }) => error.code);
      expect(strict).toEqual(isDependent ? 'vault.damaged' : state);
    }
    await vault.close();
  });
});
