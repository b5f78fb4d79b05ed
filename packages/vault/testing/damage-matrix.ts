import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '@holdfast/foundation/random';
import { aVaultWorld, collectAll, commitTexts, textsAt, type VaultWorld } from './builders.ts';
import { createMemoryBlobStore, type BlobStore, type HeadsWitness, type ItemState, type Vault, type VerifyReport } from '../src/index.ts';

const DEPTHS = ['structure', 'data'] as const;
type Kind = 'pack' | 'segment' | 'newest segment' | 'marker' | 'header';
type Damaging = 'bit flip' | 'truncate' | 'delete' | 'zero length' | 'swap' | 'older copy';

interface Scene {
  readonly world: VaultWorld;
  readonly names: { readonly [kind in Kind]: readonly string[] };
  readonly texts: { readonly [resource: string]: { readonly [itemId: string]: string } };
  readonly older: ReadonlyMap<string, Buffer>;
  readonly witness: HeadsWitness;
}

/** Many small packs, several resources, `rounds` commits each, one rotation: about ten objects a round. */
async function aScene(rounds: number): Promise<Scene> {
  const world = await aVaultWorld();
  const random = createSeededRandom(3);
  const vault = await world.open({}, { packTargetBytes: 4096, checkpoints: { segments: 4, changes: 1000 } });
  const older = new Map<string, Buffer>();
  for (const name of ['vault.json', 'vault.copy.json']) older.set(name, await world.store.get(name));
  await vault.maintenance.rotateMasterKey();
  for (let round = 0; round < rounds; round += 1) {
    for (const resource of ['one', 'two', 'three']) {
      const texts: { [itemId: string]: string } = {};
      for (let item = 0; item < 3; item += 1) texts[`${resource}-${round}-${item}`] = random.bytes(1500).toString('latin1');
      await commitTexts(vault, resource, texts);
    }
  }
  const texts: { [resource: string]: { [itemId: string]: string } } = {};
  for (const resource of ['one', 'two', 'three']) texts[resource] = await textsAt(vault, resource);
  const witness = await vault.maintenance.witnessHeads();
  await vault.close();
  const all = (await collectAll(world.store.list(''))).map((info) => info.name);
  const segments = all.filter((name) => /-[0-9a-f]{16}$/.test(name) && name.startsWith('journal/'));
  const newest = segments.filter((name) => name.includes(`/${String(rounds).padStart(10, '0')}-`));
  return {
    world,
    texts,
    older,
    witness,
    names: {
      pack: all.filter((name) => name.startsWith('packs/')),
      segment: segments.filter((name) => !newest.includes(name)),
      'newest segment': newest,
      marker: all.filter((name) => name.endsWith('.marker')),
      header: ['vault.json', 'vault.copy.json'],
    },
  };
}

async function copyOf(store: BlobStore): Promise<BlobStore> {
  const copy = createMemoryBlobStore();
  for await (const { name } of store.list('')) await copy.put(name, [await store.get(name)]);
  return copy;
}

async function damage(store: BlobStore, scene: Scene, how: Damaging, [name, peer = name]: readonly [string, string?]): Promise<void> {
  const data = await store.get(name);
  switch (how) {
    case 'bit flip': {
      const at = Math.floor(data.byteLength * 0.6);
      data[at] = (data[at] ?? 0) ^ 4;
      return store.put(name, [data]);
    }
    case 'truncate':
      return store.put(name, [data.subarray(0, data.byteLength - 9)]);
    case 'delete':
      return store.delete(name);
    case 'zero length':
      return store.put(name, []);
    case 'swap': {
      await store.put(name, [await store.get(peer)]);
      return store.put(peer, [data]);
    }
    case 'older copy':
      return store.put(name, [scene.older.get(name) ?? data]);
  }
}

function expectRefusal(error: unknown): void {
  expect(['vault.damaged', 'vault.blob-missing', 'vault.object-missing']).toContain((error as { code: string }).code);
}

async function readItem(vault: Vault, item: ItemState): Promise<string | undefined> {
  try {
    const { mime } = item.content;
    return mime && (await vault.reader().readAll(mime)).toString('latin1');
  } catch (error) {
    expectRefusal(error);
    return undefined;
  }
}

/** Everything that can be read, read: nothing that differs from what was put may ever come out. */
async function checkNothingBadIsServed(vault: Vault, scene: Scene): Promise<Set<string>> {
  const unreadable = new Set<string>();
  for (const [resource, texts] of Object.entries(scene.texts)) {
    const items = await collectAll(vault.journal(resource).stateAt()).catch((error: unknown) => {
      expectRefusal(error);
      return [];
    });
    for (const item of items) {
      const text = await readItem(vault, item);
      if (text === undefined) unreadable.add(item.itemId);
      else expect(text).toBe(texts[item.itemId]);
    }
  }
  return unreadable;
}

/** A damaged object is named itself; a pack that is gone shows by what it held. */
function isReported(report: VerifyReport, name: string): boolean {
  const isNamed = report.damages.some((one) => one.name === name || name.startsWith(one.name));
  return isNamed || report.affectedItemCount > 0 || (name.startsWith('packs/') && report.damages.some((one) => one.object === 'segment'));
}

const CELLS: readonly [Kind, readonly Damaging[]][] = [
  ['pack', ['bit flip', 'truncate', 'delete', 'zero length', 'swap']],
  ['segment', ['bit flip', 'truncate', 'delete', 'zero length', 'swap']],
  ['newest segment', ['bit flip', 'truncate', 'delete', 'zero length', 'swap']],
  ['marker', ['bit flip', 'truncate', 'zero length', 'swap']],
  ['header', ['bit flip', 'truncate', 'delete', 'zero length', 'older copy']],
];

/**
 * Damages objects of a vault in every way, `sample` of each kind a cell (the cells begin at different
 * ones), and checks that it is found, named, never served, and repaired.
 */
export function describeDamageMatrix({ rounds, sample }: { readonly rounds: number; readonly sample: number }): void {
  describe('the damage matrix', async () => {
    const scene = await aScene(rounds);

    it('raises no alarm on an undamaged vault, at either depth', async () => {
      expect(Object.values(scene.names).flat().length).toBeGreaterThan(9 * rounds);
      for (const depth of DEPTHS) {
        const vault = await scene.world.open();
        const report = await vault.maintenance.verify({ depth, witnesses: [scene.witness] });
        expect(report).toMatchObject({ damages: [], affectedItems: [], affectedItemCount: 0 });
        expect(report.complete).toBe(depth === 'data');
        await vault.close();
      }
    });

    for (const [kind, ways] of CELLS) {
      for (const [cell, how] of ways.entries()) {
        it(`finds every ${kind} damaged by ${how}, names what is lost, and repairs it from a copy`, async () => {
          const names = scene.names[kind];
          const stride = Math.max(1, Math.floor(names.length / sample));
          for (let at = cell % stride; at < names.length; at += stride) {
            const name = names[at] as string;
            const store = await copyOf(scene.world.store);
            await damage(store, scene, how, [name, names[(at + 1) % names.length] as string]);
            const vault = await scene.world.open({ store }, { packTargetBytes: 4096 });
            const report = await vault.maintenance.verify({ depth: 'data', witnesses: [scene.witness] });
            expect(isReported(report, name), `${how} of ${name}`).toBe(true);
            const unreadable = await checkNothingBadIsServed(vault, scene);
            for (const itemId of unreadable) expect(report.affectedItems.map((item) => item.itemId)).toContain(itemId);
            const repair = await vault.maintenance.repair({ report, secondCopy: scene.world.store });
            expect(repair, `${how} of ${name}`).toMatchObject({ remaining: [], remainingDamages: [] });
            await vault.close();
          }
        }, 3_600_000);
      }
    }

    it('finds by structure alone what does not need the data', async () => {
      for (const how of ['truncate', 'delete', 'zero length'] as const) {
        for (const name of scene.names.pack.slice(0, 12)) {
          const store = await copyOf(scene.world.store);
          await damage(store, scene, how, [name]);
          const vault = await scene.world.open({ store });
          expect(isReported(await vault.maintenance.verify({ depth: 'structure' }), name)).toBe(true);
          await vault.close();
        }
      }
    });

    it('names exactly the items whose frames are damaged', async () => {
      const store = await copyOf(scene.world.store);
      const name = scene.names.pack[3] as string;
      await damage(store, scene, 'bit flip', [name]);
      const vault = await scene.world.open({ store });
      const report = await vault.maintenance.verify({ depth: 'data' });
      const unreadable = await checkNothingBadIsServed(vault, scene);
      expect(new Set(report.affectedItems.map((item) => item.itemId))).toEqual(unreadable);
      await vault.close();
    });

    it('shows a journal whose end was cut off together with its marker, by a witness kept elsewhere', async () => {
      const store = await copyOf(scene.world.store);
      const newest = scene.names['newest segment'][0] as string;
      await store.delete(newest);
      await store.delete(`${newest.slice(0, newest.lastIndexOf('/') + 11)}.marker`);
      const vault = await scene.world.open({ store });
      expect((await vault.maintenance.verify({ depth: 'structure' })).damages).toEqual([]);
      const report = await vault.maintenance.verify({ depth: 'structure', witnesses: [scene.witness] });
      expect(report.damages).toHaveLength(1);
      expect(report.damages[0]).toMatchObject({ object: 'journal', difference: 'older' });
      await vault.close();
    });

    it('refuses a witness of another vault or with another signature', async () => {
      const vault = await scene.world.open();
      const { witness } = scene;
      await expect(vault.maintenance.verify({ depth: 'structure', witnesses: [{ ...witness, vaultId: 'x' }] })).rejects.toMatchObject({
        code: 'vault.foreign',
      });
      await expect(vault.maintenance.verify({ depth: 'structure', witnesses: [{ ...witness, heads: [] }] })).rejects.toMatchObject({
        code: 'vault.bad-input',
      });
      await vault.close();
    });
  });
}
