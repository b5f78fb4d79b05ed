import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anItem, aVaultWorld, collectAll, commitTexts, textsAt } from '../../testing/builders.ts';
import { vaultError } from '../shared/errors.ts';
import { copyName } from './segment-names.ts';
import { createMemoryBlobStore, isInPart, withFaults, type ItemChange, type Vault } from '../index.ts';

const AT = '2026-01-01T00:00:00.000Z';

async function commit(vault: Vault, options: Partial<Parameters<ReturnType<Vault['journal']>['commit']>[0]> = {}) {
  const journal = vault.journal('box');
  return journal.commit({ expectedHead: await journal.head(), fence: 1, runId: 'r', at: AT, cursor: null, changes: [], ...options });
}

describe('the journal', () => {
  it('begins without a head and goes on from the last commit', async () => {
    const vault = await (await aVaultWorld()).open();
    expect(await vault.journal('box').head()).toBeNull();
    const first = await commitTexts(vault, 'box', { a: 'one' });
    const second = await commitTexts(vault, 'box', { a: 'two', b: 'three' });
    expect(first.sequence).toBe(1);
    expect(await vault.journal('box').head()).toEqual(second);
    expect(second.cursor).toEqual({ delta: 2 });
    await vault.close();
  });

  it('shows every point as it was', async () => {
    const vault = await (await aVaultWorld()).open();
    await commitTexts(vault, 'box', { a: 'one', b: 'two' }, { at: '2026-01-01T00:00:00Z' });
    await commitTexts(vault, 'box', { a: 'changed', b: null }, { at: '2026-01-02T00:00:00Z' });
    await commitTexts(vault, 'box', { c: 'new' }, { at: '2026-01-03T00:00:00Z' });
    expect(await textsAt(vault, 'box', { sequence: 1 })).toEqual({ a: 'one', b: 'two' });
    expect(await textsAt(vault, 'box', { sequence: 2 })).toEqual({ a: 'changed' });
    expect(await textsAt(vault, 'box')).toEqual({ a: 'changed', c: 'new' });
    expect(await textsAt(vault, 'box', { time: '2026-01-02T12:00:00Z' })).toEqual({ a: 'changed' });
    expect(await textsAt(vault, 'box', { time: '2025-01-01T00:00:00Z' })).toEqual({});
    expect(await textsAt(vault, 'box', { sequence: 0 })).toEqual({});
    await expect(textsAt(vault, 'box', { sequence: 9 })).rejects.toMatchObject({ code: 'vault.bad-input', details: { field: 'sequence' } });
    await expect(textsAt(vault, 'box', { time: 'yesterday' })).rejects.toMatchObject({
      code: 'vault.bad-input',
      details: { field: 'time' },
    });
    await vault.close();
  });

  it('leaves progress inside a run out of the points in time', async () => {
    const vault = await (await aVaultWorld()).open();
    await commitTexts(vault, 'box', { a: 'one' }, { at: '2026-01-01T00:00:00Z' });
    await commitTexts(vault, 'box', { a: 'half' }, { at: '2026-01-02T00:00:00Z', restorePoint: false });
    expect(await textsAt(vault, 'box', { time: '2026-01-09T00:00:00Z' })).toEqual({ a: 'one' });
    expect((await vault.journal('box').head())?.restorePoint).toBe(false);
    await vault.close();
  });

  it('lists every resource with its head', async () => {
    const vault = await (await aVaultWorld()).open();
    for (const box of ['a', 'b', 'c']) await commitTexts(vault, box, { x: box });
    await commitTexts(vault, 'b', { x: 'again' });
    const resources = await collectAll(vault.resources());
    expect(resources.map(({ resourceId, head }) => `${resourceId} ${head.sequence}`).toSorted()).toEqual(['a 1', 'b 2', 'c 1']);
    await vault.close();
  });

  it('is not disturbed by what somebody else has put beside it', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'one', { a: 'text' });
    const [segment] = await collectAll(world.store.list('journal/'));
    const folder = segment?.name.slice(0, segment.name.lastIndexOf('/') + 1) ?? '';
    for (const name of [
      'journal/readme.txt',
      `journal/${'0'.repeat(40)}/notes`,
      `${folder}0000000001-copy`,
      `${folder}z.marker`,
      'packs/readme',
    ])
      await world.store.put(name, [Buffer.from('not ours')]);
    const again = await world.open();
    expect((await collectAll(again.resources())).map((one) => one.resourceId)).toEqual(['one']);
    expect(await textsAt(again, 'one')).toEqual({ a: 'text' });
    await commitTexts(again, 'one', { b: 'more' });
    expect(await again.maintenance.verify({ depth: 'data' })).toMatchObject({ damages: [], segments: 2 });
    for (const one of [vault, again]) await one.close();
  });

  it('gives segments in order with their changes and summary', async () => {
    const vault = await (await aVaultWorld()).open();
    await commit(vault, { changes: [anItem('a'), anItem('b')], summary: { errors: 1 } });
    await commit(vault, { changes: [{ op: 'remove', itemId: 'a' }] });
    const segments = await collectAll(vault.journal('box').segments());
    expect(segments.map((segment) => segment.changeCount)).toEqual([2, 1]);
    expect(segments[0]).toMatchObject({ resourceId: 'box', previousHash: null, summary: { errors: 1 }, hasCheckpoint: false });
    expect(segments[1]?.previousHash).toBe(segments[0]?.hash);
    expect(await collectAll((segments[1] as NonNullable<(typeof segments)[1]>).changes())).toEqual([{ op: 'remove', itemId: 'a' }]);
    expect(await collectAll(vault.journal('box').segments({ from: 2, to: 2 }))).toHaveLength(1);
    await vault.close();
  });

  it('keeps a commit of many changes outside the segment and reads it back', async () => {
    const vault = await (await aVaultWorld()).open();
    const changes = Array.from({ length: 3000 }, (_, at) => anItem(`item-${at}`, {}, { note: 'x'.repeat(150), at }));
    await commit(vault, { changes: [...changes, { op: 'remove', itemId: 'item-7' }, anItem('item-8', {}, { last: true })] });
    const items = await collectAll(vault.journal('box').stateAt());
    expect(items).toHaveLength(2999);
    expect(items.find((item) => item.itemId === 'item-8')?.metadata).toEqual({ last: true });
    await vault.close();
  });

  it.each([
    ['fence', { fence: -1 }],
    ['runId', { runId: '' }],
    ['at', { at: 'soon' }],
    ['itemId', { changes: [{ ...anItem(''), itemId: '' }] as ItemChange[] }],
    ['op', { changes: [{ ...anItem('a'), op: 'move' }] as unknown as ItemChange[] }],
    ['kind', { changes: [{ ...anItem('a'), kind: '' }] as ItemChange[] }],
    ['parentId', { changes: [{ ...anItem('a'), parentId: '' }] as ItemChange[] }],
    ['name', { changes: [{ ...anItem('a'), name: 7 }] as unknown as ItemChange[] }],
    ['content.mime', { changes: [anItem('a', { mime: { sha256: 'x', sizeBytes: 1, depth: 0, pieces: [] } })] }],
  ])('refuses a commit whose %s is wrong and changes nothing', async (field, given) => {
    const vault = await (await aVaultWorld()).open();
    await expect(commit(vault, given)).rejects.toMatchObject({ code: 'vault.bad-input', details: { field } });
    expect(await vault.journal('box').head()).toBeNull();
    await vault.close();
  });

  it('refuses a resource without an id', async () => {
    const vault = await (await aVaultWorld()).open();
    expect(() => vault.journal('')).toThrow(expect.objectContaining({ code: 'vault.bad-input' }));
    await expect(vault.openWriter({ resourceId: '' })).rejects.toMatchObject({ code: 'vault.bad-input' });
    await vault.close();
  });

  it('refuses to name content that is not durable', async () => {
    const vault = await (await aVaultWorld()).open();
    const writer = await vault.openWriter({ resourceId: 'box' });
    const content = await writer.put(Buffer.from('not flushed'), { kind: 'file' });
    await expect(commit(vault, { changes: [anItem('a', { data: content })] })).rejects.toMatchObject({ code: 'vault.blob-missing' });
    await writer.close();
    expect((await commit(vault, { changes: [anItem('a', { data: content })] })).sequence).toBe(1);
    await vault.close();
  });

  it.each(['2026-01-01T23:55:00Z', '2025-01-01T00:00:00Z'])(
    'commits at the time of the last commit while the clock is behind it (%s)',
    async (at) => {
      const vault = await (await aVaultWorld()).open();
      await commit(vault, { at: '2026-01-02T00:00:00Z' });
      expect((await commit(vault, { at })).at).toBe('2026-01-02T00:00:00.000Z');
      expect((await commit(vault, { at: '2026-01-02T00:00:01Z' })).at).toBe('2026-01-02T00:00:01.000Z');
      await vault.close();
    },
  );

  it.each([
    ['a full disk', 'vault.storage-full'],
    ['a read-only bucket', 'vault.storage-read-only'],
    ['credentials that expire in mid-run', 'vault.credentials-expired'],
  ] as const)('commits nothing with %s, shows what was committed meanwhile, and goes on afterwards', async (_, code) => {
    let isFailing = false;
    const store = withFaults(createMemoryBlobStore(), (operation, name) =>
      isFailing && operation === 'put' && name.startsWith('journal/')
        ? { before: vaultError(code, 'It fails.', { object: name }) }
        : undefined,
    );
    const world = await aVaultWorld({ store });
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'one' });
    isFailing = true;
    await expect(commitTexts(vault, 'box', { a: 'two' })).rejects.toMatchObject({ code });
    expect(await textsAt(vault, 'box')).toEqual({ a: 'one' });
    const reopened = await world.open();
    expect(await textsAt(reopened, 'box')).toEqual({ a: 'one' });
    isFailing = false;
    expect((await commitTexts(vault, 'box', { a: 'three' })).sequence).toBe(2);
    expect(await textsAt(reopened, 'box')).toEqual({ a: 'three' });
    expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await reopened.close();
    await vault.close();
  });

  it('writes checkpoints, and every point stays as it was', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({}, { checkpoints: { segments: 3, changes: 1000 } });
    const model: { [itemId: string]: string }[] = [{}];
    for (let round = 1; round <= 10; round += 1) {
      const texts: { [itemId: string]: string | null } = {
        [`i${round % 4}`]: `round ${round}`,
        [`n${round}`]: 'new',
        [`n${round - 3}`]: null,
      };
      await commitTexts(vault, 'box', texts);
      const next = { ...model.at(-1) };
      for (const [itemId, text] of Object.entries(texts))
        if (text === null) delete next[itemId];
        else next[itemId] = text;
      model.push(next);
    }
    const segments = await collectAll(vault.journal('box').segments());
    expect(segments.filter((segment) => segment.hasCheckpoint).map((segment) => segment.sequence)).toEqual([3, 6, 9]);
    for (const [sequence, state] of model.entries()) expect(await textsAt(vault, 'box', { sequence })).toEqual(state);
    await vault.close();
  });

  it('gives a state in parts, each item in the part of its id', async () => {
    const world = await aVaultWorld();
    const vault = await world.open({}, { checkpoints: { segments: 3, changes: 1000 } });
    for (let round = 0; round < 5; round += 1) {
      await commitTexts(vault, 'box', {
        changed: `${round}`,
        [`new-${round}`]: 'text',
        [`new-${round - 2}`]: null,
        [`kept-${round}`]: 'text',
      });
    }
    const journal = vault.journal('box');
    const whole = (await collectAll(journal.stateAt())).map(({ itemId }) => itemId).toSorted();
    const parts: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      const part = { at, of: 4 };
      for await (const { itemId } of journal.stateAt(undefined, { part })) {
        expect(isInPart(itemId, part)).toBe(true);
        parts.push(itemId);
      }
    }
    expect(parts.toSorted()).toEqual(whole);
    await vault.close();
  });

  it('writes a checkpoint of changes that are too many to lie in the segment', async () => {
    const vault = await (await aVaultWorld()).open({}, { checkpoints: { segments: 2, changes: 1000 } });
    const many = (note: string): ItemChange[] => Array.from({ length: 3_000 }, (_, at) => anItem(`i${at}`, {}, note.repeat(100)));
    await commit(vault, { changes: many('a') });
    await commit(vault, { changes: many('b') });
    const segments = await collectAll(vault.journal('box').segments());
    expect(segments.map((segment) => segment.hasCheckpoint)).toEqual([true, true]);
    for (const [at, note] of ['a', 'b'].entries()) {
      const items = await collectAll(vault.journal('box').stateAt({ sequence: at + 1 }));
      expect(items).toHaveLength(3_000);
      expect(new Set(items.map((item) => item.metadata))).toEqual(new Set([note.repeat(100)]));
    }
    await vault.close();
  });

  it('replays any history to the state of a simple model', async () => {
    const step = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.option(fc.string({ maxLength: 5 }), { freq: 3 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 4 }), async (history, segments) => {
        const vault = await (await aVaultWorld()).open({}, { checkpoints: { segments, changes: 5 } });
        const model: Map<string, string>[] = [];
        let state = new Map<string, string>();
        for (const changes of history) {
          state = new Map(state);
          for (const [id, note] of changes)
            if (note === null) state.delete(`i${id}`);
            else state.set(`i${id}`, note);
          await commit(vault, {
            changes: changes.map(([id, note]) =>
              note === null ? { op: 'remove' as const, itemId: `i${id}` } : anItem(`i${id}`, {}, note),
            ),
          });
          model.push(state);
        }
        for (const [at, expected] of model.entries()) {
          const items = await collectAll(vault.journal('box').stateAt({ sequence: at + 1 }));
          expect(new Map(items.map((item) => [item.itemId, item.metadata]))).toEqual(expected);
          expect(items).toHaveLength(expected.size);
        }
        await vault.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('two writers of one resource', () => {
  it.each([
    ['decided by the conditional put', true],
    ['decided by the lease', false],
  ])('have exactly one winner, %s', async (_, conditionalPut) => {
    const world = await aVaultWorld({ store: createMemoryBlobStore({ conditionalPut }) });
    const vaults = [await world.open(), await world.open()];
    for (let round = 0; round < 10; round += 1) {
      const expectedHead = (await vaults[0]?.journal('box').head()) ?? null;
      const lease = round * 2 + 2;
      const tries = await Promise.allSettled(
        vaults.map(async (vault, at) => {
          const fence = conditionalPut ? 1 : lease - at;
          const writer = await vault.openWriter({ resourceId: 'box' });
          const mime = await writer.put(Buffer.from(`of ${at} in round ${round}`), { kind: 'message' });
          await writer.close();
          const isLeaseHeld = async (): Promise<boolean> => conditionalPut || fence === lease;
          return commit(vault, { expectedHead, fence, changes: [anItem(`${at}-${round}`, { mime })], isLeaseHeld });
        }),
      );
      expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      for (const lost of tries) {
        if (lost.status === 'rejected') expect(['vault.commit-conflict', 'vault.fenced']).toContain((lost.reason as { code: string }).code);
      }
    }
    const fresh = await world.open();
    expect(Object.keys(await textsAt(fresh, 'box'))).toHaveLength(10);
    expect((await fresh.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    for (const vault of [...vaults, fresh]) await vault.close();
  });

  it('lose no blob of the one that lost: its content is stored once it tries again', async () => {
    const world = await aVaultWorld();
    const [one, two] = [await world.open(), await world.open()];
    const writer = await two.openWriter({ resourceId: 'box' });
    const content = await writer.put(Buffer.from('of the loser'), { kind: 'message' });
    await writer.close();
    const expectedHead = await two.journal('box').head();
    await commitTexts(one, 'box', { a: 'of the winner' });
    const request = { fence: 1, runId: 'r', at: AT, cursor: null, changes: [anItem('b', { mime: content })] };
    await expect(two.journal('box').commit({ expectedHead, ...request })).rejects.toMatchObject({ code: 'vault.commit-conflict' });
    await two.journal('box').commit({ expectedHead: await two.journal('box').head(), ...request });
    expect(await textsAt(one, 'box')).toEqual({ a: 'of the winner', b: 'of the loser' });
    for (const vault of [one, two]) await vault.close();
  });

  it('refuse a lease that is older than the one that committed last', async () => {
    const vault = await (await aVaultWorld()).open();
    await commit(vault, { fence: 5 });
    await expect(commit(vault, { fence: 4 })).rejects.toMatchObject({ code: 'vault.fenced' });
    await vault.close();
  });

  it('take a commit back whose lease was lost before it counted', async () => {
    const vault = await (await aVaultWorld()).open();
    await expect(commit(vault, { isLeaseHeld: async () => false })).rejects.toMatchObject({ code: 'vault.fenced' });
    expect(await vault.journal('box').head()).toBeNull();
    expect((await commit(vault, { isLeaseHeld: async () => true })).sequence).toBe(1);
    await vault.close();
  });

  it('read a contested sequence the same way in every process', async () => {
    const world = await aVaultWorld({ store: createMemoryBlobStore({ conditionalPut: false }) });
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'base' }, { fence: 1 });
    const copies: { name: string; data: Buffer }[] = [];
    for (const fence of [3, 2]) {
      await commitTexts(vault, 'box', { a: `fence ${fence}` }, { fence });
      for await (const { name } of world.store.list('journal/')) {
        if (!name.includes('/0000000002-')) continue;
        for (const one of [name, copyName(name)]) {
          copies.push({ name: one, data: await world.store.get(one) });
          await world.store.delete(one);
        }
      }
    }
    for (const { name, data } of copies) await world.store.put(name, [data]);
    for (let round = 0; round < 3; round += 1) {
      const other = await world.open();
      expect(await textsAt(other, 'box')).toEqual({ a: 'fence 3' });
      expect((await other.journal('box').head())?.fence).toBe(3);
      await other.close();
    }
    await vault.close();
  });
});
