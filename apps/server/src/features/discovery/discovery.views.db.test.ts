import { testDatabase } from '@holdfast/database/testing/test-database';
import { aSegment, anItem } from '@holdfast/engine/testing/builders';
import { expect, test } from 'vitest';
import { aGround, aResource, testIds as ids } from '../../testing/rows.ts';
import { createCatalog } from '../backup/index.ts';
import { createBrowseViews, createProtectionOfViews, createSourcesViews } from './index.ts';

const { database } = testDatabase(import.meta.url);
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
    (await browse.items(ground.scope, { sourceId, sequence, nodeId: 's' }, { limit: 10 })).items.map((node) => node.path);
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
  const { items } = await browse.items(ground.scope, { sourceId, sequence: 1, nodeId: 'f' }, { limit: 10 });
  expect(items.map((node) => node.name)).toEqual(['Über uns', 'alpha']);
});

test('a search looks below the node, without regard to case and without wildcards of its own', async () => {
  const { ground, sourceId } = await aMailbox();
  const find = async (search: string, nodeId: string | null) =>
    (await browse.items(ground.scope, { sourceId, sequence: 1, nodeId }, { limit: 10, search })).items.map((node) => node.path);
  expect(await find('ÜBER', null)).toEqual(['Inbox/Über uns']);
  expect(await find('100%', 'f')).toEqual(['Inbox/Über uns/Offer 100% off']);
  expect(await find('%', 's')).toEqual(['Inbox/Über uns/Offer 100% off']);
  expect(await find('alpha', 's')).toEqual([]);
});

test('what is gone is found whenever it was last there', async () => {
  const { ground, sourceId } = await aMailbox();
  const { items } = await browse.items(
    ground.scope,
    { sourceId, sequence: 3, nodeId: null },
    { limit: 10, search: 'offer', everywhere: true },
  );
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    name: 'Second offer',
    path: 'Inbox/Über uns/Second offer',
    lastSequence: 2,
    lastSeenAt: '2026-11-02T12:00:00.000Z',
    versions: 2,
  });
});

test('the way to a node is told from the root, and a node that is not there is unknown', async () => {
  const { ground, sourceId } = await aMailbox();
  expect(await browse.trail(ground.scope, { sourceId, sequence: 1, nodeId: 'm' })).toEqual([
    { nodeId: 'f', name: 'Inbox' },
    { nodeId: 's', name: 'Über uns' },
    { nodeId: 'm', name: 'Offer 100% off' },
  ]);
  expect(await browse.trail(ground.scope, { sourceId, sequence: 3, nodeId: 'm' })).toBeUndefined();
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
