import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anItem, aVaultWorld, collectAll, commitTexts, textsAt, type VaultWorld } from '../../testing/builders.ts';
import { withFaults, type PrunePolicy, type Vault } from '../index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const onlyHeads: PrunePolicy = { keepsPoint: () => false };
const everything: PrunePolicy = { keepsPoint: () => true };

function long(text: string): string {
  return `${text}\r\n\r\n${text.repeat(3000)}`;
}

async function packsOf(world: VaultWorld): Promise<string[]> {
  return (await collectAll(world.store.list('packs/'))).map((info) => info.name);
}

/** Prunes twice with the grace time between: marked, then swept. */
async function pruneThrough(world: VaultWorld, vault: Vault, policy: PrunePolicy) {
  await world.clock.advance(2 * DAY_MS);
  const marked = await vault.maintenance.prune({ policy });
  await world.clock.advance(2 * DAY_MS);
  return { marked, swept: await vault.maintenance.prune({ policy }) };
}

function nowOf(world: VaultWorld): string {
  return new Date(world.clock.nowMs()).toISOString();
}

describe('prune', () => {
  it('tells the age of packs and marks by the time it is given, however far ahead the clock of the machine is', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    const nowMs = world.clock.nowMs();
    await world.clock.advance(3 * 365 * DAY_MS);
    for (const atMs of [nowMs, nowMs, nowMs])
      expect(await vault.maintenance.prune({ policy: onlyHeads, nowMs: atMs })).toMatchObject({ markedPacks: [], sweptPacks: [] });
    expect((await vault.maintenance.prune({ policy: onlyHeads, nowMs: nowMs + 2 * DAY_MS })).markedPacks).toHaveLength(1);
    expect((await vault.maintenance.prune({ policy: onlyHeads, nowMs: nowMs + 2 * DAY_MS })).sweptPacks).toEqual([]);
    expect((await vault.maintenance.prune({ policy: onlyHeads, nowMs: nowMs + 4 * DAY_MS })).sweptPacks).toHaveLength(1);
  });

  it('marks first and sweeps only after the grace time', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    expect(await packsOf(world)).toHaveLength(2);
    expect((await vault.maintenance.prune({ policy: onlyHeads })).markedPacks).toEqual([]);
    await world.clock.advance(2 * DAY_MS);
    const marked = await vault.maintenance.prune({ policy: onlyHeads });
    expect(marked).toMatchObject({ sweptPacks: [], unreachableBlobs: 2 });
    expect(marked.markedPacks).toHaveLength(1);
    expect((await vault.maintenance.prune({ policy: onlyHeads })).sweptPacks).toEqual([]);
    await world.clock.advance(DAY_MS);
    const swept = await vault.maintenance.prune({ policy: onlyHeads });
    expect(swept.sweptPacks).toEqual(marked.markedPacks);
    expect(swept.freedBytes).toBeGreaterThan(0);
    expect(await packsOf(world)).toHaveLength(1);
    expect(await textsAt(vault, 'box')).toEqual({ a: long('new') });
    expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await vault.close();
  });

  it('sweeps nothing because of a mark that does not open, and marks again', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    await world.clock.advance(2 * DAY_MS);
    const marked = await vault.maintenance.prune({ policy: onlyHeads });
    for (const { name } of await collectAll(world.store.list('marks/'))) await world.store.put(name, [Buffer.from('no mark')]);
    await world.clock.advance(2 * DAY_MS);
    const again = await vault.maintenance.prune({ policy: onlyHeads });
    expect(again).toMatchObject({ sweptPacks: [], markedPacks: marked.markedPacks });
    expect(await packsOf(world)).toHaveLength(2);
    await vault.close();
  });

  it('keeps everything that a kept point shows', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    for (const text of ['one', 'two', 'three']) await commitTexts(vault, 'box', { a: long(text) });
    await pruneThrough(world, vault, { keepsPoint: (point) => point.sequence === 2 });
    expect(await textsAt(vault, 'box', { sequence: 2 })).toEqual({ a: long('two') });
    expect(await textsAt(vault, 'box')).toEqual({ a: long('three') });
    await expect(textsAt(vault, 'box', { sequence: 1 })).rejects.toMatchObject({ code: 'vault.blob-missing' });
    const points = (await collectAll(vault.maintenance.rebuildCatalogFeed())).filter((entry) => entry.type === 'point');
    expect(points.map((entry) => entry.point.restorePoint)).toEqual([false, true, true]);
    expect((await vault.maintenance.verify({ depth: 'data' })).affectedItemCount).toBe(0);
    await vault.close();
  });

  it('lets a hold win over every policy', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { held: long('held one'), free: long('free one') });
    await commitTexts(vault, 'box', { held: long('held two'), free: long('free two') });
    const held = (await collectAll(vault.journal('box').stateAt({ sequence: 1 }))).find((item) => item.itemId === 'held');
    await pruneThrough(world, vault, { keepsPoint: () => false, isHeld: (_, itemId) => itemId === 'held' });
    const mime = held?.content['mime'];
    expect(mime && (await vault.reader().readAll(mime)).toString()).toBe(long('held one'));
    expect((await vault.maintenance.verify({ depth: 'data' })).affectedItemCount).toBe(0);
    // A caller that knows of no holds releases none.
    await pruneThrough(world, vault, onlyHeads);
    expect(mime && (await vault.reader().readAll(mime)).toString()).toBe(long('held one'));
    await pruneThrough(world, vault, { ...onlyHeads, isHeld: () => false });
    await expect(vault.reader().readAll(mime as NonNullable<typeof mime>)).rejects.toMatchObject({ code: 'vault.blob-missing' });
    await vault.close();
  });

  it('lets what was erased leave every point and a pack that is full of other things, and keeps what others need of it', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({}, { packTargetBytes: 10_000_000 });
    const texts = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`i${at}`, long(`text ${at}`)]));
    await commitTexts(vault, 'box', { ...texts, shared: long('shared'), secret: long('secret') });
    await commitTexts(vault, 'other', { theirs: long('shared') });
    const [secret, shared] = await Promise.all(
      ['secret', 'shared'].map(
        async (id) => (await collectAll(vault.journal('box').stateAt())).find(({ itemId }) => itemId === id)?.content['mime'],
      ),
    );
    const head = await vault.journal('box').head();
    const erase = (itemId: string) => ({ op: 'remove', itemId, isErased: true }) as const;
    await vault.journal('box').commit({
      expectedHead: head,
      fence: head?.fence ?? 0,
      runId: 'erasure',
      at: nowOf(world),
      cursor: null,
      changes: [erase('secret'), erase('shared')],
    });
    // The point before it stays, and shows everything else.
    const { marked, swept } = await pruneThrough(world, vault, everything);
    expect([marked.erasedBlobs > 0, swept.erasedBlobs]).toEqual([true, 0]);
    await expect(vault.reader().readAll(secret as NonNullable<typeof secret>)).rejects.toMatchObject({ code: 'vault.blob-missing' });
    expect((await vault.reader().readAll(shared as NonNullable<typeof shared>)).toString()).toBe(long('shared'));
    expect(await textsAt(vault, 'box')).toEqual(texts);
    expect(await vault.maintenance.verify({ depth: 'data' })).toMatchObject({ damages: [], affectedItemCount: 0 });
    await vault.close();
  });

  it('writes sparse packs anew and then lets the old ones go', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({}, { packTargetBytes: 1_000_000 });
    const texts = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`i${at}`, long(`text ${at}`)]));
    await commitTexts(vault, 'box', texts);
    await commitTexts(
      vault,
      'box',
      Object.fromEntries(
        Object.keys(texts)
          .slice(2)
          .map((itemId) => [itemId, null]),
      ),
    );
    const { marked, swept } = await pruneThrough(world, vault, onlyHeads);
    expect(marked.repackedPacks).toHaveLength(1);
    expect(swept.sweptPacks).toEqual(marked.repackedPacks);
    expect(await textsAt(vault, 'box')).toEqual({ i0: texts['i0'], i1: texts['i1'] });
    const other = await world.open();
    expect(await textsAt(other, 'box')).toEqual({ i0: texts['i0'], i1: texts['i1'] });
    await other.close();
    await vault.close();
  });

  it('rescues a marked pack that a run came to rely on', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    const writer = await vault.openWriter({ resourceId: 'box' });
    const again = await writer.put(Buffer.from(long('old')), { kind: 'message' });
    await world.clock.advance(2 * DAY_MS);
    const { markedPacks } = await vault.maintenance.prune({ policy: onlyHeads });
    expect(markedPacks).toHaveLength(1);
    await writer.close();
    const journal = vault.journal('box');
    await journal.commit({
      expectedHead: await journal.head(),
      fence: 1,
      runId: 'r',
      at: nowOf(world),
      cursor: null,
      changes: [anItem('b', { mime: again })],
    });
    await world.clock.advance(2 * DAY_MS);
    expect((await vault.maintenance.prune({ policy: onlyHeads })).sweptPacks).toEqual([]);
    expect(await textsAt(vault, 'box')).toEqual({ a: long('new'), b: long('old') });
    await vault.close();
  });

  it('refuses a run that relied on a marked pack for too long', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    const writer = await vault.openWriter({ resourceId: 'box' });
    await writer.put(Buffer.from(long('old')), { kind: 'message' });
    await world.clock.advance(2 * DAY_MS);
    await vault.maintenance.prune({ policy: onlyHeads });
    await world.clock.advance(0.6 * DAY_MS);
    await expect(writer.flush()).rejects.toMatchObject({ code: 'vault.prune-conflict' });
    await writer.abort();
    const fresh = await vault.openWriter({ resourceId: 'box' });
    await fresh.put(Buffer.from(long('old')), { kind: 'message' });
    expect(fresh.statistics.newBlobs).toBe(2);
    await fresh.close();
    await vault.close();
  });

  it('removes a whole resource that retention let go', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'gone', { a: long('of the gone') });
    await commitTexts(vault, 'stays', { a: long('of the other') });
    await pruneThrough(world, vault, { keepsPoint: () => true, dropsResource: (resourceId) => resourceId === 'gone' });
    expect((await collectAll(vault.resources())).map((one) => one.resourceId)).toEqual(['stays']);
    expect(await packsOf(world)).toHaveLength(1);
    await commitTexts(vault, 'gone', { a: 'begins anew' });
    expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await vault.close();
  });

  it('says which packs are still under lock and sweeps them when the lock has ended', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({ lock: { mode: 'compliance', days: 10 } });
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    const { swept } = await pruneThrough(world, vault, onlyHeads);
    expect(swept.sweptPacks).toEqual([]);
    expect(swept.lockedPacks).toHaveLength(1);
    expect(await packsOf(world)).toHaveLength(2);
    await world.clock.advance(10 * DAY_MS);
    const later = await pruneThrough(world, vault, onlyHeads);
    expect([...later.marked.sweptPacks, ...later.swept.sweptPacks]).toHaveLength(1);
    await vault.close();
  });

  it('sweeps nothing while a journal is damaged', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: long('old') });
    await commitTexts(vault, 'box', { a: long('new') });
    const segments = (await collectAll(world.store.list('journal/'))).map((info) => info.name);
    await world.store.put(segments[0] as string, [Buffer.from('damaged')]);
    await world.clock.advance(2 * DAY_MS);
    await expect(vault.maintenance.prune({ policy: onlyHeads })).rejects.toMatchObject({ code: 'vault.damaged' });
    expect(await packsOf(world)).toHaveLength(2);
    await vault.close();
  });

  it('collects segments that lost and could not be taken back', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    const store = withFaults(world.store, (operation) => (operation === 'delete' ? { before: new Error('not now') } : undefined));
    const other = await world.open({ store });
    const request = { expectedHead: null, fence: 1, runId: 'r', at: nowOf(world), cursor: null, changes: [anItem('a')] };
    const tries = await Promise.allSettled([vault.journal('box').commit(request), other.journal('box').commit(request)]);
    const names = async () => (await collectAll(world.store.list('journal/'))).length;
    await world.clock.advance(2 * DAY_MS);
    if (tries[0].status === 'fulfilled') expect(await names()).toBe(3);
    expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await vault.maintenance.prune({ policy: everything });
    expect(await names()).toBe(2);
    expect(await collectAll(vault.journal('box').stateAt())).toHaveLength(1);
    for (const one of [vault, other]) await one.close();
  });

  it('never removes what is reachable and in the end removes all that is not, beside any writers', async () => {
    const action = fc.oneof(
      fc.record({
        do: fc.constant('commit' as const),
        box: fc.integer({ min: 0, max: 1 }),
        item: fc.integer({ min: 0, max: 3 }),
        text: fc.integer({ min: 0, max: 5 }),
      }),
      fc.record({ do: fc.constant('put' as const), box: fc.integer({ min: 0, max: 1 }), text: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ do: fc.constant('finish' as const), box: fc.integer({ min: 0, max: 1 }), item: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('prune' as const) }),
      fc.record({ do: fc.constant('wait' as const), days: fc.double({ min: 0.1, max: 1.5, noNaN: true }) }),
    );
    await fc.assert(
      // oxlint-disable-next-line complexity -- the model interprets five actions in one place, so that it reads beside them
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), async (actions) => {
        const real = await aVaultWorld();
        const vault = await real.open({}, { packTargetBytes: 2000 });
        const state: { [itemId: string]: string }[] = [{}, {}];
        const open: (
          | {
              writer: Awaited<ReturnType<Vault['openWriter']>>;
              mime: Awaited<ReturnType<Awaited<ReturnType<Vault['openWriter']>>['put']>>;
              text: string;
            }
          | undefined
        )[] = [];
        for (const step of actions) {
          if (step.do === 'commit') {
            await commitTexts(vault, `box${step.box}`, { [`i${step.item}`]: long(`text ${step.text}`) }, { at: nowOf(real) });
            state[step.box] = { ...state[step.box], [`i${step.item}`]: long(`text ${step.text}`) };
          } else if (step.do === 'put') {
            await open[step.box]?.writer.abort();
            const writer = await vault.openWriter({ resourceId: `box${step.box}` });
            const text = long(`text ${step.text}`);
            open[step.box] = { writer, text, mime: await writer.put(Buffer.from(text), { kind: 'message' }) };
          } else if (step.do === 'finish') {
            const begun = open[step.box];
            open[step.box] = undefined;
            if (!begun) continue;
            try {
              await begun.writer.close();
              const journal = vault.journal(`box${step.box}`);
              await journal.commit({
                expectedHead: await journal.head(),
                fence: 1,
                runId: 'r',
                at: nowOf(real),
                cursor: null,
                changes: [anItem(`i${step.item}`, { mime: begun.mime })],
              });
              state[step.box] = { ...state[step.box], [`i${step.item}`]: begun.text };
            } catch (error) {
              // What it relied on is about to be swept, or has been swept since: refused either way, and nothing is named that is not there.
              expect(['vault.prune-conflict', 'vault.blob-missing']).toContain((error as { code: string }).code);
              await begun.writer.abort();
            }
          } else if (step.do === 'prune') await vault.maintenance.prune({ policy: onlyHeads });
          else await real.clock.advance(step.days * DAY_MS);
          for (const box of [0, 1]) expect(await textsAt(vault, `box${box}`)).toEqual(state[box]);
        }
        for (const begun of open) await begun?.writer.abort();
        await pruneThrough(real, vault, onlyHeads);
        const last = await pruneThrough(real, vault, onlyHeads);
        expect(last.swept.unreachableBlobs).toBe(0);
        for (const box of [0, 1]) expect(await textsAt(vault, `box${box}`)).toEqual(state[box]);
        expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
        await vault.close();
      }),
      {
        numRuns: 25,
        examples: [
          [
            [
              { do: 'put', box: 1, text: 1 },
              { do: 'put', box: 1, text: 1 },
              { do: 'wait', days: 1 },
              { do: 'prune' },
              { do: 'wait', days: 1 },
              { do: 'commit', box: 0, item: 0, text: 0 },
              { do: 'prune' },
              { do: 'commit', box: 0, item: 0, text: 0 },
              { do: 'finish', box: 1, item: 0 },
            ],
          ],
        ],
      },
    );
  }, 120_000);
});
