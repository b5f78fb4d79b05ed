import type { GuardedByHold, Hold } from '@holdfast/contract/holds';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createHoldsStore } from './holds.store.ts';

/** Holds on single files and folders: which restore points they keep, and which they let go. */
const testing = testDatabase(import.meta.url);
const store = createHoldsStore(testing.database, { clock: systemClock, recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let ground: Ground;

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
}, 120_000);
afterAll(() => server.close());

async function send<T>(path: string, body?: unknown): Promise<{ status: number; body: T & { code?: string } }> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${path}`, {
    token: owner.tokens.main,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: (await answer.json()) as T & { code?: string } };
}

async function place(resourceId: string, items: readonly string[]): Promise<Hold> {
  const answer = await send<Hold>('holds', { name: 'Lawsuit', reason: 'Court order', resourceId, items });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** A drive whose folder F loses a file by a move and another by a deletion, and gets a third. */
async function aDrive(graphId: string) {
  const { scope, locationId } = ground;
  const resourceId = await aResource(testing.database, ground, { graphId, name: 'Site', kind: 'drive' });
  const catalog = createCatalog({
    database: testing.database,
    scope,
    locationId,
    ids,
    keptWithin: async (tx, at) => ({ holds: await store.on(tx, at), minimums: [] }),
  });
  const made = (sequence: number, change: object) =>
    catalog.apply({ ...aSegment(resourceId, sequence), committedAt: `2026-11-0${sequence}T12:00:00.000Z`, ...change });
  const file = (key: string, sizeBytes: number, parentKey: string | null = 'F') =>
    anItem(key, { kind: 'file', name: `${key}.docx`, sizeBytes, parentKey });
  await made(1, { put: [anItem('F', { kind: 'folder', name: 'Contracts', sizeBytes: 0 }), file('a', 1), file('b', 10)] });
  await made(2, { put: [file('a', 100)] });
  await made(3, { put: [file('a', 1_000, null)], removed: ['b'] });
  await made(4, { put: [file('c', 10_000)] });
  await made(5, { put: [file('d', 100_000, null)] });
  const listed = async () => (await catalog.points(resourceId)).map(({ sequence }) => sequence);
  const keys = async (sequence: number) => (await Array.fromAsync(catalog.items(resourceId, sequence))).map(({ key }) => key).sort();
  return { resourceId, catalog, listed, keys };
}

test('a hold on a file keeps a restore point of each of its versions, and the others may go', async () => {
  const { resourceId, catalog, listed, keys } = await aDrive('by-file');
  const hold = await place(resourceId, ['a']);
  expect(hold).toMatchObject({ resource: { name: 'Site' }, heldItems: [{ nodeId: 'a', name: 'a.docx', isContainer: false }], from: null });
  expect(await catalog.forgetPoints(resourceId, [1, 2, 3, 4])).toEqual([3, 4]);
  expect(await listed()).toEqual([1, 2, 5]);
  expect(await keys(1)).toEqual(['F', 'a', 'b']);
  // What was decided once stays so: nothing more goes when the next run looks again.
  expect(await catalog.forgetPoints(resourceId, [1, 2])).toEqual([]);
});

test('a hold on a deleted file keeps the last restore point that has it, and ends with the hold', async () => {
  const { resourceId, catalog, listed } = await aDrive('deleted');
  const { holdId } = await place(resourceId, ['b']);
  expect(await catalog.forgetPoints(resourceId, [1, 2, 3, 4])).toEqual([1, 3, 4]);
  expect(await listed()).toEqual([2, 5]);
  await testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [holdId]);
  expect(await catalog.forgetPoints(resourceId, [2])).toEqual([2]);
});

test('a hold on a folder keeps everything that is, was or comes to be in it', async () => {
  const { resourceId, catalog, listed } = await aDrive('by-folder');
  const { holdId } = await place(resourceId, ['F']);
  const { items } = (await send<{ items: GuardedByHold[] }>('holds/guarded')).body;
  // a was in it as 1 and 100 and was moved out as 1,000; b was deleted from it; c came later. d never was in it.
  const guarded = { resources: 1, points: 3, items: 3, bytes: 1 + 100 + 1_000 + 10 + 10_000, unreached: 0, unreachedNames: [] };
  expect(items.find((one) => one.holdId === holdId)).toEqual({ holdId, ...guarded });
  expect(await catalog.forgetPoints(resourceId, [1, 2, 3, 4])).toEqual([3, 4]);
  const later = anItem('e', { kind: 'file', name: 'e.docx', parentKey: 'F' });
  await catalog.apply({ ...aSegment(resourceId, 6), put: [later], committedAt: '2026-11-06T12:00:00.000Z' });
  await catalog.apply({ ...aSegment(resourceId, 7), removed: ['e'], committedAt: '2026-11-07T12:00:00.000Z' });
  expect(await catalog.forgetPoints(resourceId, [5, 6])).toEqual([5]);
  expect(await listed()).toEqual([1, 2, 6, 7]);
});

test('a hold on files of one site keeps nothing of another', async () => {
  const held = await aDrive('held-site');
  const free = await aDrive('free-site');
  await place(held.resourceId, ['a', 'F']);
  expect(await free.catalog.forgetPoints(free.resourceId, [1, 2, 3, 4])).toEqual([1, 2, 3, 4]);
});

test('a hold names no file that is in no restore point, has no period, and belongs to a site', async () => {
  const { resourceId } = await aDrive('refused');
  const plain = { name: 'Hold', reason: 'Why' };
  expect((await send('holds', { ...plain, resourceId, items: ['a', 'nowhere'] })).body.code).toBe('holds.item-unknown');
  for (const wrong of [
    { resourceId, items: ['a'], from: '2026-01-01T00:00:00.000Z' },
    { items: ['a'] },
    { resourceId, items: Array.from({ length: 501 }, (_, place) => `f${place}`) },
  ]) {
    const refused = await send<{ errors?: object }>('holds', { ...plain, ...wrong });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('items')]);
  }
  const { items } = (await send<{ items: Hold[] }>('holds')).body;
  expect(items.filter((one) => one.resourceId === resourceId)).toEqual([]);
});

test('the application can neither take a file out of a hold nor exchange it for another', async () => {
  const { database } = testing;
  await expect(database.within(ground.scope, (tx) => tx.deleteFrom('hold_items').execute())).rejects.toThrow(/permission denied/);
  await expect(database.within(ground.scope, (tx) => tx.updateTable('hold_items').set({ item_key: 'd' }).execute())).rejects.toThrow(
    /permission denied/,
  );
});
