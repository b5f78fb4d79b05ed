import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../../testing/rig.ts';
import { itemKinds, type ItemVersion, type Resource } from '../ports/item.ts';
import { openPointCatalog } from './point-catalog.ts';

describe('a restore point read from its journal', () => {
  let rig: Rig;
  let mailbox: Resource;
  let folder = '';
  let files = 0;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdfast-point-'));
    rig = await createRig({ recipes: ['tiny'] });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id);
    await rig.backup(mailbox, { checkpoint: { items: 20, bytes: 1e9 } });
    const message = (await rig.items(mailbox)).find(({ kind }) => kind === 'message');
    rig.act('mail.purge', { user: mailbox.graphId, id: message?.key });
    await rig.backup(mailbox);
  });
  afterAll(async () => {
    await rig.close();
    await rm(folder, { recursive: true });
  });

  const open = (options: { readonly time?: string; readonly forgotten?: readonly number[] } = {}) => {
    files += 1;
    return openPointCatalog({
      journal: rig.vault.journal(mailbox.id),
      file: path.join(folder, `${files}.sqlite`),
      forgotten: [],
      ...options,
    });
  };
  const byKey = (items: readonly ItemVersion[]) => items.toSorted((a, b) => (a.key < b.key ? -1 : 1));

  it('is what the catalog says of each point, whole, by folder, by kind and by key', async () => {
    const points = await rig.catalog.points(mailbox.id);
    expect(points).toHaveLength(2);
    for (const point of points) {
      const read = await open({ time: point.committedAt });
      expect(read.point).toEqual(point);
      expect(await read.points(mailbox.id)).toEqual([point]);
      const all = byKey(await rig.items(mailbox, point.sequence));
      expect(byKey(await Array.fromAsync(read.items(mailbox.id, point.sequence)))).toEqual(all);
      const [some] = all.filter(({ kind }) => kind === 'message');
      for (const query of [
        { parentKey: some?.parentKey ?? null },
        { parentKey: null },
        { kinds: itemKinds.filter((kind) => kind !== 'message') },
        { keys: [some?.key ?? '', 'unknown'] },
        { notProtected: true } as const,
      ]) {
        const wanted = await Array.fromAsync(rig.catalog.items(mailbox.id, point.sequence, query));
        expect(byKey(await Array.fromAsync(read.items(mailbox.id, point.sequence, query)))).toEqual(byKey(wanted));
      }
      read.close();
    }
  });

  it('leaves out what a deletion gave up, and reads an unfinished first backup rather than nothing', async () => {
    const [first, second] = await rig.catalog.points(mailbox.id);
    const before = await open({ forgotten: [second?.sequence ?? 0] });
    expect(before.point).toEqual(first);
    before.close();
    const unfinished = await open({ forgotten: [first?.sequence ?? 0, second?.sequence ?? 0] });
    expect(unfinished.point.sequence).toBe((first?.sequence ?? 0) - 1);
    unfinished.close();
    await expect(open({ time: '2000-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'restore.no-such-point' });
  });
});
