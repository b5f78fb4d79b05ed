import { describe, expect, it } from 'vitest';
import { anItem, aVaultWorld, collectAll, commitTexts, textsAt } from '../../testing/builders.ts';
import { createMemoryBlobStore, withFaults } from '../index.ts';

async function namesOf(store: { list(prefix: string): AsyncIterable<{ name: string }> }): Promise<string[]> {
  return (await collectAll(store.list(''))).map((info) => info.name);
}

describe('copy', () => {
  it('is a whole vault, and the next one copies only what is new', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'one', b: 'two' });
    const target = createMemoryBlobStore();
    const first = await vault.maintenance.copyTo({ target });
    expect(first).toMatchObject({ presentObjects: 0, damagedObjects: [] });
    expect(await namesOf(target)).toEqual(await namesOf(world.store));
    await commitTexts(vault, 'box', { c: 'three' });
    const second = await vault.maintenance.copyTo({ target, verify: false, concurrency: 1 });
    expect(second.copiedObjects).toBe(6);
    const copy = await world.open({ store: target });
    expect(await textsAt(copy, 'box')).toEqual({ a: 'one', b: 'two', c: 'three' });
    expect((await copy.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await copy.close();
    await vault.close();
  });

  it('refuses a place where another vault lies', async () => {
    const vault = await (await aVaultWorld()).open();
    const other = await aVaultWorld({ seed: 2 });
    await expect(vault.maintenance.copyTo({ target: other.store })).rejects.toMatchObject({ code: 'vault.foreign' });
    await vault.close();
  });

  it('never copies damage, and names it', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'one' });
    const pack = (await namesOf(world.store)).find((name) => name.startsWith('packs/')) as string;
    const data = await world.store.get(pack);
    data[40] = (data[40] ?? 0) ^ 1;
    await world.store.put(pack, [data]);
    const target = createMemoryBlobStore();
    const report = await vault.maintenance.copyTo({ target });
    expect(report.damagedObjects).toEqual([pack]);
    expect(await target.stat(pack)).toBeUndefined();
    await vault.close();
  });

  it('notices a target that does not keep what it took', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    const target = withFaults(createMemoryBlobStore(), (operation, name) =>
      operation === 'get' && name === 'vault.copy.json' ? { answer: () => Buffer.from('x') } : undefined,
    );
    await expect(vault.maintenance.copyTo({ target })).rejects.toMatchObject({ code: 'vault.storage-unavailable' });
    await vault.close();
  });

  it('holds documents, and forgets those that were deleted', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    const [kept, deleted] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
    await vault.documents.put(kept, Buffer.from('kept'));
    await vault.documents.put(deleted, Buffer.from('deleted'));
    const target = createMemoryBlobStore();
    await vault.maintenance.copyTo({ target });
    await vault.documents.remove(deleted);
    await vault.maintenance.copyTo({ target });
    const copy = await world.open({ store: target });
    expect((await copy.documents.get(kept)).toString()).toBe('kept');
    await expect(copy.documents.get(deleted)).rejects.toMatchObject({ code: 'vault.object-missing' });
    await target.put(`documents/${deleted}`, [await target.get(`documents/${kept}`)]);
    await expect(copy.documents.get(deleted)).rejects.toMatchObject({ code: 'vault.damaged' });
    await expect(copy.documents.get('../header')).rejects.toMatchObject({ code: 'vault.bad-input' });
    await copy.close();
    await vault.close();
  });

  it('carries a shredding over to the copy', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    const writer = await vault.openWriter({ resourceId: 'box' });
    const content = await writer.put(Buffer.from('to be shredded'), { kind: 'message', ownKey: true });
    await writer.close();
    const target = createMemoryBlobStore();
    await vault.maintenance.copyTo({ target });
    const copy = await world.open({ store: target });
    expect((await copy.reader().readAll(content)).toString()).toBe('to be shredded');
    await vault.maintenance.shredItemKey(content.itemKeyId as string);
    await expect(vault.reader().readAll(content)).rejects.toMatchObject({ code: 'vault.item-key-destroyed' });
    expect(await vault.maintenance.copyTo({ target })).toMatchObject({ deletedObjects: 1 });
    await expect(copy.reader().readAll(content)).rejects.toMatchObject({ code: 'vault.item-key-destroyed' });
    await copy.close();
    await vault.close();
  });
});

describe('the catalog feed', () => {
  it('tells every change and every point in order, from the vault alone', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    const journal = vault.journal('box');
    await journal.commit({
      expectedHead: null,
      fence: 1,
      runId: 'r1',
      at: '2026-01-01T00:00:00Z',
      cursor: 1,
      changes: [anItem('a'), anItem('b')],
    });
    await journal.commit({
      expectedHead: await journal.head(),
      fence: 1,
      runId: 'r2',
      at: '2026-01-02T00:00:00Z',
      cursor: 2,
      changes: [{ op: 'remove', itemId: 'a' }],
    });
    await commitTexts(vault, 'other', { x: 'y' });
    const feed = await collectAll(vault.maintenance.rebuildCatalogFeed({ resourceId: 'box' }));
    expect(feed.map((entry) => `${entry.type} ${entry.type === 'point' ? entry.point.sequence : entry.sequence}`)).toEqual([
      'put 1',
      'put 1',
      'point 1',
      'remove 2',
      'point 2',
    ]);
    expect(feed[2]).toMatchObject({ point: { runId: 'r1', cursor: 1, restorePoint: true } });
    expect(await collectAll(vault.maintenance.rebuildCatalogFeed())).toHaveLength(7);
    await vault.close();
  });
});

describe('the index', () => {
  it('is built again from the packs alone', async () => {
    const world = await aVaultWorld();
    const vault = await world.open();
    await commitTexts(vault, 'box', { a: 'one', b: 'two' });
    const before = await vault.maintenance.synchroniseIndex();
    expect(await vault.maintenance.synchroniseIndex({ rebuild: true })).toEqual(before);
    expect(await textsAt(vault, 'box')).toEqual({ a: 'one', b: 'two' });
    await vault.close();
  });
});
