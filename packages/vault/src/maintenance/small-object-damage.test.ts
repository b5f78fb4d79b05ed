import { describe, expect, it } from 'vitest';
import { anItem, aVaultWorld, collectAll, commitTexts, textsAt, type VaultWorld } from '../../testing/builders.ts';
import { loseAndRestate } from '../../testing/lose-segment.ts';
import { createMemoryBlobStore, type PrunePolicy, type Vault } from '../index.ts';

/** Small objects that only save work or say what was decided: whatever becomes of one, nothing that is kept is lost. */
const WAYS = ['flip', 'cut', 'delete', 'swap', 'empty'] as const;
const KINDS = ['retention/', 'marks/', '.restated'] as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const AT = '2026-01-01T00:00:00.000Z';
const long = (text: string): string => `${text}\r\n\r\n${text.repeat(3000)}`;
const policy: PrunePolicy = { keepsPoint: ({ sequence }) => sequence === 3, isHeld: (_, itemId) => itemId === 'held' };

async function namesOf(world: VaultWorld, kind: (typeof KINDS)[number]): Promise<string[]> {
  const names = (await collectAll(world.store.list(''))).map(({ name }) => name);
  return names.filter((name) => (kind.endsWith('/') ? name.startsWith(kind) : name.endsWith(kind)));
}

/** Does what a backup does about lost segments; answers which they were. */
async function restate(vault: Vault): Promise<readonly number[]> {
  const journal = vault.journal('lost');
  const lost = (await journal.tend()).map(({ sequence }) => sequence);
  if (lost.length === 0) return lost;
  const commit = { expectedHead: await journal.head(), fence: 1, runId: 'run', at: AT, cursor: null };
  await journal.commit({ ...commit, changes: [anItem('item')], restates: { lost, isComplete: true } });
  return lost;
}

/** A vault with points that were given up, a version that a hold keeps, a marked pack, and a lost segment that is restated. */
async function aUsedVault() {
  const world = await aVaultWorld();
  const vault = await world.open({}, { packTargetBytes: 1024 });
  await commitTexts(vault, 'box', { a: long('one') });
  await commitTexts(vault, 'box', { held: long('held one') });
  await commitTexts(vault, 'box', { a: long('two'), held: long('held two') });
  await commitTexts(vault, 'box', { a: long('three') });
  await commitTexts(vault, 'box', { a: long('four'), held: long('held four') });
  const [held] = (await collectAll(vault.journal('box').stateAt({ sequence: 2 }))).filter(({ itemId }) => itemId === 'held');
  const aside = createMemoryBlobStore();
  await loseAndRestate(vault, { store: world.store, aside, at: AT });
  for (const { name } of await collectAll(aside.list(''))) await world.store.delete(name);
  await world.clock.advance(2 * DAY_MS);
  expect((await vault.maintenance.prune({ policy })).markedPacks.length).toBeGreaterThan(0);
  await vault.close();
  return { world, held };
}

it('a record of what was given up is mended from the other one, and from a second copy when both are damaged', async () => {
  const { world } = await aUsedVault();
  const names = await namesOf(world, 'retention/');
  const secondCopy = createMemoryBlobStore();
  for (const { name } of await collectAll(world.store.list(''))) await secondCopy.put(name, [await world.store.get(name)]);
  const vault = await world.open();
  for (const [damaged, sources] of [
    [names.slice(0, 1), ['copy']],
    [names.slice(1), ['copy']],
    [names, ['second-copy', 'copy']],
  ] as const) {
    for (const name of damaged) await world.store.put(name, [Buffer.alloc(0)]);
    const report = await vault.maintenance.verify({ depth: 'structure' });
    const { steps } = await vault.maintenance.repair({ report, secondCopy });
    expect(steps.filter(({ name }) => damaged.includes(name)).map(({ source }) => source)).toEqual(sources);
    expect(await vault.maintenance.forgottenPoints('box')).toMatchObject({ points: [1, 2, 4] });
    const after = await vault.maintenance.verify({ depth: 'structure' });
    expect(after.damages.filter(({ object }) => object === 'retention')).toEqual([]);
  }
  await vault.close();
});

describe.each(KINDS)('a damaged small object of the kind %s', (kind) => {
  it.each(WAYS.flatMap((way) => [0, -1].map((at) => [way, at] as const)))(
    '(%s, number %i) takes nothing away that is kept, neither at once nor when the vault is pruned again',
    async (way, at) => {
      const { world, held } = await aUsedVault();
      const name = (await namesOf(world, kind)).at(at) ?? '';
      const data = await world.store.get(name);
      const flipped = Buffer.from(data);
      flipped[20] = (flipped[20] ?? 0) ^ 4;
      const other = await world.store.get('vault.json');
      const instead = { flip: flipped, cut: data.subarray(0, -5), swap: other, empty: Buffer.alloc(0) };
      await (way === 'delete' ? world.store.delete(name) : world.store.put(name, [instead[way]]));
      const vault = await world.open();
      expect(await vault.maintenance.forgottenPoints('box')).toEqual({ points: [1, 2, 4], isDropped: false });
      const expectKept = async (): Promise<void> => {
        expect(await textsAt(vault, 'box', { sequence: 3 })).toEqual({ a: long('two'), held: long('held two') });
        expect(await textsAt(vault, 'box')).toEqual({ a: long('four'), held: long('held four') });
        const mime = held?.content['mime'];
        expect(mime && (await vault.reader().readAll(mime)).toString()).toBe(long('held one'));
      };
      const namedRecords = async (): Promise<string[]> => {
        const { damages, affectedItemCount } = await vault.maintenance.verify({ depth: 'data' });
        expect(affectedItemCount).toBe(0);
        return damages.filter(({ object }) => object === 'retention').map((damage) => damage.name);
      };
      await expectKept();
      expect(await namedRecords()).toEqual(kind === 'retention/' && way !== 'delete' ? [name] : []);
      // A lost segment of which nothing says any more that it is restated is restated again by the next backup.
      const again = await restate(vault);
      expect(again).toEqual(kind === '.restated' && way === 'delete' ? [2] : []);
      for (let round = 0; round < 3; round += 1) {
        await world.clock.advance(2 * DAY_MS);
        await vault.maintenance.prune({ policy });
        await expectKept();
      }
      if (kind === 'retention/') expect(await namesOf(world, kind)).toHaveLength(2);
      expect(await namedRecords()).toEqual([]);
      expect(await collectAll(vault.journal('lost').stateAt())).toHaveLength(1);
      await vault.close();
    },
  );
});
