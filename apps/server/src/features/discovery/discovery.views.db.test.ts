import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { aGround, aResource, testIds as ids } from '../../testing/rows.ts';
import { createCatalog } from '../../storage/index.ts';
import { createBrowseViews, createProtectionOfViews, createSourcesViews, pageOfCandidates } from './index.ts';

const { database, asSuperuser } = testDatabase(import.meta.url);
const browse = createBrowseViews(database);
const sources = createSourcesViews(database);

/** A mailbox with three restore points: a mail in a folder, then renamed, then removed. */
async function aMailbox() {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground, { name: 'Adele Vance' });
  const catalog = createCatalog({ database, ...ground, ids });
  const folder = anItem('f', { kind: 'mailFolder', parentKey: null, name: 'Inbox' });
  const sub = anItem('s', { kind: 'mailFolder', parentKey: 'f', name: 'Über uns' });
  const mail = anItem('m', { parentKey: 's', name: 'Offer 100% off' });
  const point = (sequence: number, day: number) => ({ runId: ids.uuid(), committedAt: `2026-11-0${day}T12:00:00.000Z`, sequence });
  await catalog.apply({
    ...aSegment(resourceId, 1, { put: [folder, sub, mail, anItem('z', { parentKey: 'f', name: 'alpha' })] }),
    ...point(1, 1),
  });
  await catalog.apply({ ...aSegment(resourceId, 2, { put: [anItem('m', { parentKey: 's', name: 'Second offer' })] }), ...point(2, 2) });
  await catalog.apply({ ...aSegment(resourceId, 3, { removed: ['m'] }), ...point(3, 3) });
  const [source] = (await sources.list(ground.scope, ground, { limit: 10 })).items;
  return { ground, source, sourceId: source?.sourceId ?? '' };
}

test('a source tells what it is and since when it is held', async () => {
  const { source } = await aMailbox();
  expect(source).toMatchObject({ name: 'Adele Vance', points: 3, items: 1, newestPointAt: '2026-11-03T12:00:00.000Z', deletedAt: null });
});

test('a folder is browsed as it was at any time', async () => {
  const { ground, sourceId } = await aMailbox();
  const names = async (sequence: number) =>
    (await browse.open(ground.scope, { sourceId, sequence, nodeId: 's' }, { limit: 10 }))?.items.map((node) => node.path);
  expect(await names(1)).toEqual(['Inbox/Über uns/Offer 100% off']);
  expect(await names(2)).toEqual(['Inbox/Über uns/Second offer']);
  expect(await names(3)).toEqual([]);
});

test('the time asked for leads to the restore point before it', async () => {
  const { ground, sourceId } = await aMailbox();
  expect((await sources.pointAt(ground.scope, sourceId, '2026-11-02T18:00:00Z'))?.sequence).toBe(2);
  expect((await sources.pointAt(ground.scope, sourceId))?.sequence).toBe(3);
  expect(await sources.pointAt(ground.scope, sourceId, '2026-10-31T00:00:00Z')).toBeUndefined();
});

test('containers come first, then names', async () => {
  const { ground, sourceId } = await aMailbox();
  const opened = await browse.open(ground.scope, { sourceId, sequence: 1, nodeId: 'f' }, { limit: 10 });
  expect(opened?.items.map((node) => node.name)).toEqual(['Über uns', 'alpha']);
});

/** A drive that changes at each of its points: folders and files come, go, are renamed and moved. */
async function aChangingDrive() {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const catalog = createCatalog({ database, ...ground, ids });
  const file = (key: string, name: string, parentKey: string | null = 'f') => anItem(key, { kind: 'file', parentKey, name });
  const sub = (key: string, name: string) => anItem(key, { kind: 'folder', parentKey: 'f', name });
  const folder = anItem('f', { kind: 'folder', parentKey: null, name: 'Files' });
  const states = [
    { put: [folder, sub('s1', 'b'), sub('s2', 'a'), sub('s3', 'B'), ...['4', '2', '1', '3', '1'].map((name, at) => file(`x${at}`, name))] },
    { put: [file('x0', 'renamed'), file('x1', '2', 's1'), file('y', '0')], removed: ['x2'] },
    { put: [file('x3', '3', null), sub('s1', 'c')], removed: ['s2'] },
    { put: [file('x2', 'back')], removed: ['y'] },
  ];
  for (const [at, state] of states.entries()) await catalog.apply(aSegment(resourceId, at + 1, state));
  const [source] = (await sources.list(ground.scope, ground, { limit: 10 })).items;
  const sourceId = source?.sourceId ?? '';
  const open = (
    sequence: number,
    query: Omit<Parameters<typeof browse.open>[2], 'limit'> & { limit?: number },
    nodeId: string | null = 'f',
  ) => browse.open(ground.scope, { sourceId, sequence, nodeId }, { limit: 50, ...query });
  return { ground, resourceId, catalog, open };
}

test('a folder tells how many messages it holds, and a message its marks', async () => {
  const ground = await aGround(database);
  const resourceId = await aResource(database, ground);
  const catalog = createCatalog({ database, ...ground, ids });
  const folder = anItem('f', { kind: 'mailFolder', parentKey: null, name: 'Inbox' });
  const put = [
    folder,
    anItem('s', { kind: 'mailFolder', parentKey: 'f' }),
    anItem('a', { parentKey: 'f', modifiedAt: '2026-11-01T08:00:00Z', properties: { isRead: false, hasAttachments: true } }),
    anItem('b', { parentKey: 'f', modifiedAt: '2026-11-03T08:00:00Z' }),
    anItem('c', { parentKey: 'f' }),
    anItem('d', { parentKey: 'f', modifiedAt: '2026-11-03T08:00:00Z' }),
  ];
  await catalog.apply(aSegment(resourceId, 1, { put }));
  await catalog.apply(aSegment(resourceId, 2, { removed: ['b'] }));
  const [source] = (await sources.list(ground.scope, ground, { limit: 10 })).items;
  const sourceId = source?.sourceId ?? '';
  const open = (sequence: number, nodeId: string | null, query: object) =>
    browse.open(ground.scope, { sourceId, sequence, nodeId }, { limit: 50, ...query });
  const counts = async (sequence: number) => (await open(sequence, null, {}))?.items.map(({ itemCount }) => itemCount);
  expect([await counts(1), await counts(2)]).toEqual([[4], [3]]);
  const newest = { sort: '-modifiedAt', kind: 'message' };
  const keys: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await open(1, 'f', { ...newest, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    keys.push(...(page?.items ?? []).map(({ nodeId }) => nodeId));
    cursor = page?.nextCursor ?? null;
  }
  expect(keys).toEqual(['d', 'b', 'a', 'c']);
  expect((await open(1, 'f', { sort: 'modifiedAt', kind: 'message' }))?.items.map(({ nodeId }) => nodeId)).toEqual(['c', 'a', 'b', 'd']);
  expect((await open(1, 'f', newest))?.items.find(({ nodeId }) => nodeId === 'a')).toMatchObject({
    itemCount: null,
    facts: { isUnread: true, hasAttachments: true, isFlagged: false },
  });
});

test('what was deleted from a folder is told with the day it was last there; what was moved or is gone for good is not', async () => {
  const { open } = await aChangingDrive();
  const deleted = async (sequence: number) =>
    (await open(sequence, { deleted: true }))?.items.map(({ nodeId, lastSequence }) => [nodeId, lastSequence]);
  expect(await deleted(1)).toEqual([]);
  expect(await deleted(2)).toEqual([['x2', 1]]);
  expect(await deleted(3)).toEqual([
    ['s2', 2],
    ['x2', 1],
  ]);
  expect(await deleted(4)).toEqual([
    ['y', 3],
    ['s2', 2],
  ]);
});

test('the pages of a folder together are the folder, in order, at every point', async () => {
  const { open } = await aChangingDrive();
  for (const sequence of [1, 2, 3, 4]) {
    for (const sort of ['name', '-name', 'kind', '-modifiedAt', undefined]) {
      const whole = await open(sequence, { sort });
      const keys: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await open(sequence, { sort, limit: 2, ...(typeof cursor === 'string' ? { cursor } : {}) });
        expect(page?.total).toBe(whole?.items.length);
        keys.push(...(page?.items ?? []).map((node) => node.nodeId));
        cursor = page?.nextCursor;
      } while (typeof cursor === 'string');
      expect(keys).toEqual(whole?.items.map((node) => node.nodeId));
      expect(new Set(keys).size).toBe(keys.length);
    }
  }
  const names = async (sort: string) => (await open(1, { sort }))?.items.map((node) => node.name);
  expect(await names('name')).toEqual(['a', 'b', 'B', '1', '1', '2', '3', '4']);
  expect(await names('-name')).toEqual(['B', 'b', 'a', '4', '3', '2', '1', '1']);
});

test('a page goes on where the reader was, though a run has moved or removed the last child seen', async () => {
  const { open } = await aChangingDrive();
  const first = await open(1, { limit: 6 });
  expect(first?.items.at(-1)).toMatchObject({ nodeId: 'x1', name: '2' });
  const cursor = first?.nextCursor ?? '';
  expect((await open(1, { cursor }))?.items.map((node) => node.name)).toEqual(['3', '4']);
  // At the second point it is in another folder.
  expect((await open(2, { cursor }))?.items.map((node) => node.name)).toEqual(['3', 'renamed']);
});

test.each(['bm9ib2R5', '!', 'MjA'])('the cursor %s, which no page gave, is refused', async (cursor) => {
  const { open } = await aChangingDrive();
  await expect(open(1, { cursor })).rejects.toMatchObject({ code: 'request.invalid' });
});

test('a folder tells how many children it has, of each kind, and goes on to when points are given up', async () => {
  const { open, catalog, resourceId } = await aChangingDrive();
  const totals = async (sequence: number) => [
    (await open(sequence, {}))?.total,
    (await open(sequence, { kind: 'folder' }))?.total,
    (await open(sequence, { kind: 'file', limit: 1 }))?.total,
    (await open(sequence, {}, 's1'))?.total,
    (await open(sequence, {}, null))?.total,
  ];
  const all = [await totals(1), await totals(2), await totals(3), await totals(4)];
  expect(all).toEqual([
    [8, 3, 5, 0, 1],
    [7, 3, 4, 1, 1],
    [5, 2, 3, 1, 2],
    [5, 2, 3, 1, 2],
  ]);
  await catalog.forgetPoints(resourceId, [1, 3]);
  expect([await totals(2), await totals(4)]).toEqual([all[1], all[3]]);
  await catalog.apply(aSegment(resourceId, 5, { put: [anItem('z', { kind: 'file', parentKey: 's1', name: 'z' })] }));
  await catalog.forgetPoints(resourceId, [2, 4]);
  expect(await totals(5)).toEqual([5, 2, 3, 2, 2]);
});

test('the numbers of children that a migration finds are those that were written', async () => {
  const { ground } = await aChangingDrive();
  const counts = `select parent_key, sequence, kind, change from catalog_folder_counts where organisation_id = '${ground.scope.organisationId}' and change <> 0 order by 1, 2, 3`;
  const written = await asSuperuser(counts);
  expect(written.length).toBeGreaterThan(5);
  const migration = await readFile(new URL('../../../../../packages/database/migrations/0090-folder-counts.sql', import.meta.url), 'utf8');
  const [fill] = /insert into catalog_folder_counts[^;]*/u.exec(migration) ?? [];
  await asSuperuser('delete from catalog_folder_counts');
  await asSuperuser(fill ?? '');
  expect(await asSuperuser(counts)).toEqual(written);
});

test('a search looks below the node, without regard to case and without wildcards of its own', async () => {
  const { ground, sourceId } = await aMailbox();
  const find = async (search: string, nodeId: string | null) =>
    (await browse.open(ground.scope, { sourceId, sequence: 1, nodeId }, { limit: 10, search }))?.items.map((node) => node.path);
  expect(await find('ÜBER', null)).toEqual(['Inbox/Über uns']);
  expect(await find('100%', 'f')).toEqual(['Inbox/Über uns/Offer 100% off']);
  expect(await find('%', 's')).toEqual(['Inbox/Über uns/Offer 100% off']);
  expect(await find('alpha', 's')).toEqual([]);
});

test('what is gone is found whenever it was last there', async () => {
  const { ground, sourceId } = await aMailbox();
  const opened = await browse.open(ground.scope, { sourceId, sequence: 3, nodeId: null }, { limit: 10, search: 'offer', everywhere: true });
  expect(opened?.items).toHaveLength(1);
  expect(opened?.items[0]).toMatchObject({
    name: 'Second offer',
    path: 'Inbox/Über uns/Second offer',
    lastSequence: 2,
    lastSeenAt: '2026-11-02T12:00:00.000Z',
    versions: 2,
  });
});

test('the way to a node is told from the root, and a node that is not there is unknown', async () => {
  const { ground, sourceId } = await aMailbox();
  const trail = async (sequence: number) => (await browse.open(ground.scope, { sourceId, sequence, nodeId: 'm' }, { limit: 10 }))?.trail;
  expect(await trail(1)).toEqual([
    { nodeId: 'f', name: 'Inbox', kind: 'mailFolder' },
    { nodeId: 's', name: 'Über uns', kind: 'mailFolder' },
    { nodeId: 'm', name: 'Offer 100% off', kind: 'message' },
  ]);
  expect(await trail(3)).toBeUndefined();
});

test('two points are compared into added, changed and removed', async () => {
  const { ground, sourceId } = await aMailbox();
  const changes = async (from: number, to: number) =>
    (await browse.compare(ground.scope, { sourceId, from, to }, { limit: 10 })).items.map((node) => [node.change, node.name]);
  expect(await changes(1, 2)).toEqual([['changed', 'Second offer']]);
  expect(await changes(1, 3)).toEqual([['removed', 'Offer 100% off']]);
  expect((await changes(0, 1)).map(([change]) => change)).toEqual(['added', 'added', 'added', 'added']);
});

test('protection is told per location, and nothing is told to another organisation', async () => {
  const { ground, source } = await aMailbox();
  const protectionOf = createProtectionOfViews(database);
  const place = { ...ground, workload: 'exchange' as const };
  expect((await protectionOf.of(ground.scope, place)).get(source?.graphId ?? '')).toEqual({
    protection: 'protected',
    lastPointAt: '2026-11-03T12:00:00.000Z',
  });
  const other = await aGround(database);
  expect((await protectionOf.of(other.scope, place)).size).toBe(0);
  expect((await sources.list(other.scope, ground, { limit: 10 })).total).toBe(0);
});

test('a OneDrive is told of by the address of whose it is, beside the mailbox of the same person', async () => {
  const ground = await aGround(database);
  const catalog = createCatalog({ database, ...ground, ids });
  const drive = await aResource(database, ground, { graphId: 'b!drive' });
  await aResource(database, ground, { graphId: 'adele' });
  await asSuperuser(
    `update resources set workload = 'onedrive', kind = 'drive', address = 'Adele@contoso.example' where resource_id = $1`,
    [drive],
  );
  await catalog.apply(aSegment(drive, 1, { put: [anItem('a')] }));
  const people = [{ id: 'adele', name: 'Adele', address: 'adele@contoso.example', kind: 'user' as const }];
  const shown = async (workload: 'exchange' | 'onedrive') => {
    const protection = await createProtectionOfViews(database).of(ground.scope, { ...ground, workload });
    return pageOfCandidates(people, protection, { limit: 10 }).items.map((person) => person.protection);
  };
  expect([await shown('exchange'), await shown('onedrive')]).toEqual([['unprotected'], ['protected']]);
});
