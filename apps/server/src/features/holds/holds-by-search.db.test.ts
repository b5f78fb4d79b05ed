import type { GuardedByHold, Hold } from '@holdfast/contract/holds';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { readWords } from '../search/testing/indexed.ts';
import { createHoldsStore } from './holds.store.ts';
import { createStandingHolds } from './standing-holds.service.ts';

/** Holds on what a saved search finds: what they keep, now and later. */
const testing = testDatabase(import.meta.url);
const store = createHoldsStore(testing.database, { clock: systemClock, recognisesScans: false });
let server: TestServer;
let owner: SignedIn;
let ground: Ground;
const standing = createStandingHolds({ store, clock: systemClock, logger: silentLogger, scopes: async () => [ground.scope] });

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
}, 120_000);
afterAll(() => server.close());

async function send<T>(path: string, options: { method?: string; body?: unknown; as?: SignedIn } = {}) {
  const { as = owner, ...rest } = options;
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${path}`, { token: as.tokens.main, ...rest });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T & { code?: string } };
}

async function save(query: string): Promise<SavedSearch> {
  const { status, body } = await send<SavedSearch>('archive/searches', { body: { name: ids.token(6), query, hasAlert: false } });
  expect(status).toBe(201);
  return body;
}

async function hold(query: string): Promise<Hold> {
  const { searchId } = await save(query);
  const answer = await send<Hold>('holds', { body: { name: `On ${query}`, reason: 'Court order', searchId } });
  expect(answer.status).toBe(201);
  return answer.body;
}

const guardedBy = async ({ holdId }: Hold): Promise<GuardedByHold | undefined> =>
  (await send<{ items: GuardedByHold[] }>('holds/guarded')).body.items.find((one) => one.holdId === holdId);
const end = ({ holdId }: Hold) => testing.asSuperuser('update holds set released_at = now() where hold_id = $1', [holdId]);

/** A mailbox whose restore points come in order; messages are named by their keys, and their words are read when asked. */
async function aMailbox(graphId = ids.uuid()) {
  const { scope, locationId } = ground;
  const resourceId = await aResource(testing.database, ground, { graphId, name: 'Adele Vance' });
  const keptWithin = async (tx: Parameters<typeof store.on>[0], at: Parameters<typeof store.on>[1]) => ({
    holds: await store.on(tx, at),
    minimums: [],
  });
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids, keptWithin });
  let sequence = 0;
  const subjects: Record<string, string> = {};
  return {
    resourceId,
    async commit(put: Readonly<Record<string, string>>, removed: readonly string[] = []): Promise<number> {
      sequence += 1;
      Object.assign(subjects, put);
      await catalog.apply(aSegment(resourceId, sequence, { put: Object.keys(put).map((key) => anItem(key, { sizeBytes: 10 })), removed }));
      return sequence;
    },
    read: (at?: string) => readWords(testing.database, scope, subjects, { at }),
    /** Deletes the points like a retention run, and answers which went. */
    forget: (sequences: readonly number[]) => catalog.forgetPoints(resourceId, [...sequences]),
  };
}

test('A19: a hold over 5,000 hits guards 5,000, and what no search finds may go', async () => {
  const mailbox = await aMailbox();
  await mailbox.commit(Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`hit${place}`, `merger ${place}`])));
  await mailbox.commit(
    { other: 'lunch' },
    Array.from({ length: 4_999 }, (_, place) => `hit${place}`),
  );
  await mailbox.commit({}, ['hit4999', 'other']);
  await mailbox.commit({});
  await mailbox.read();
  const placed = await hold('merger');
  expect(placed).toMatchObject({ resourceId: null, resource: null, heldItems: [], search: { query: 'merger' } });
  expect(await guardedBy(placed)).toMatchObject({ resources: 1, points: 2, items: 5_000, bytes: 50_000, unreached: 0 });
  // Point 1 has the first 4,999 last, point 2 the other; nothing held needs point 3.
  expect(await mailbox.forget([1, 2, 3])).toEqual([3]);
  await end(placed);
  expect(await mailbox.forget([1, 2])).toEqual([1, 2]);
});

test('A19: a hit that arrives afterwards is held before any deletion can see it, read or not', async () => {
  const mailbox = await aMailbox();
  const placed = await hold('takeover');
  expect(await guardedBy(placed)).toMatchObject({ points: 0, items: 0 });
  await mailbox.commit({ late: 'takeover bid', unrelated: 'lunch' });
  await mailbox.commit({}, ['late']);
  await mailbox.commit({}, ['unrelated']);
  await mailbox.commit({});
  // Nobody has read the words yet: each of the two may be a hit.
  expect(await mailbox.forget([1, 2, 3])).toEqual([3]);
  await mailbox.read();
  expect(await mailbox.forget([2])).toEqual([2]);
  expect(await mailbox.forget([1])).toEqual([]);
  expect(await guardedBy(placed)).toMatchObject({ points: 1, items: 1 });
  await end(placed);
  expect(await mailbox.forget([1])).toEqual([1]);
});

test('where scans are recognised, what has one that waits is held until it was read', async () => {
  const mailbox = await aMailbox();
  await mailbox.commit({ scanned: 'no words yet' });
  await mailbox.commit({}, ['scanned']);
  await mailbox.commit({});
  await mailbox.read();
  const placed = await hold('signature');
  await testing.database.within(ground.scope, (tx) =>
    sql`insert into search_scans (item_no, document_hash, source_id, at) select item_no, repeat('a', 64), source_id, at from search_items
      where item_key = 'scanned'`.execute(tx),
  );
  const kept = async (recognisesScans: boolean): Promise<number[]> => {
    const store = createHoldsStore(testing.database, { clock: systemClock, recognisesScans });
    const place = { resourceId: mailbox.resourceId, locationId: ground.locationId };
    const holds = await testing.database.within(ground.scope, (tx) => store.on(tx, place));
    return [...(holds.find(({ name }) => name === placed.name)?.sequences ?? [])];
  };
  expect([await kept(true), await kept(false)]).toEqual([[1], []]);
  await testing.asSuperuser(`update search_scans set state = 'read', text = 'nothing'`);
  expect(await kept(true)).toEqual([]);
  await end(placed);
});

test('what a query for recent days has found once stays on hold, although the query finds it no longer', async () => {
  const mailbox = await aMailbox();
  const placed = await hold('budget AND received>=-7d');
  await mailbox.commit({ recent: 'budget' });
  await mailbox.commit({}, ['recent']);
  await mailbox.commit({});
  await mailbox.read(new Date(Date.now() - 86_400_000).toISOString());
  await standing.turn(new AbortController().signal);
  await testing.asSuperuser(`update search_items set at = at - interval '30 days'`);
  expect(await mailbox.forget([1, 2])).toEqual([2]);
  expect(await guardedBy(placed)).toMatchObject({ points: 1, items: 1 });
});

test('a hold whose query can no longer be read keeps everything until somebody looks', async () => {
  const mailbox = await aMailbox();
  await mailbox.commit({ one: 'lunch' });
  await mailbox.commit({}, ['one']);
  await mailbox.commit({});
  await mailbox.read();
  const placed = await hold('dinner');
  await testing.asSuperuser('update saved_search_queries set query = $1 where search_id = $2', ['((', placed.search?.searchId]);
  expect(await mailbox.forget([1, 2])).toEqual([]);
  await end(placed);
  expect(await mailbox.forget([1, 2])).toEqual([1, 2]);
});

test('a search that a hold uses is neither deleted nor narrowed, and can be widened; after the hold it is free, and the hold still says what it was on', async () => {
  const mailbox = await aMailbox();
  await mailbox.commit({ a: 'alpha', b: 'beta' });
  await mailbox.read();
  const placed = await hold('alpha OR beta');
  const search = `archive/searches/${placed.search?.searchId}`;
  const change = (query: string) => send(search, { method: 'PUT', body: { name: ids.token(6), query, hasAlert: false } });
  expect((await send<{ items: object[] }>(`${search}/uses`)).body.items).toEqual([{ kind: 'hold', id: placed.holdId, name: placed.name }]);
  expect((await send(search, { method: 'DELETE' })).body.code).toBe('search.in-use');
  expect((await change('alpha')).body.code).toBe('search.hold-narrowed');
  expect((await change('alpha OR beta OR gamma')).status).toBe(200);
  await end(placed);
  expect((await change('alpha')).status).toBe(200);
  expect((await send(search, { method: 'DELETE' })).status).toBe(204);
  const listed = (await send<{ items: Hold[] }>('holds')).body.items.find((one) => one.holdId === placed.holdId);
  expect(listed?.search).toEqual({ searchId: null, name: placed.search?.name, query: 'alpha OR beta' });
});

test('a hold by search names a search of the tenant and nothing else, and two people end it', async () => {
  const { searchId } = await save('zeta');
  const plain = { name: 'Hold', reason: 'Why' };
  expect((await send('holds', { body: { ...plain, searchId: ids.uuid() } })).body.code).toBe('holds.search-unknown');
  const elsewhere = await aGround(testing.database);
  const its = await server.member(elsewhere.scope.organisationId, 'owner');
  const foreign = await server.send(`/apollo/api/${elsewhere.tenantId}/holds`, { token: its.tokens.main, body: { ...plain, searchId } });
  expect(((await foreign.json()) as { code: string }).code).toBe('holds.search-unknown');
  const mailbox = await aMailbox();
  for (const wrong of [{ resourceId: mailbox.resourceId }, { from: '2026-01-01T00:00:00.000Z' }]) {
    const refused = await send('holds', { body: { ...plain, searchId, ...wrong } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('searchId')]);
  }
  const placed = (await send<Hold>('holds', { body: { ...plain, searchId } })).body;
  const asked = await send<Hold>(`holds/${placed.holdId}/release`, { body: { reason: 'Settled' } });
  expect([asked.status, asked.body.status]).toEqual([200, 'releasing']);
  await end(placed);
});

test('an archive lets go of nothing while a hold by search finds anything in its mailbox, or what is there is unread', async () => {
  const graphId = ids.uuid();
  const mailbox = await aMailbox(graphId);
  const archiveId = await aResource(testing.database, ground, { graphId, name: 'Adele Vance', kind: 'archive', workload: 'archive' });
  const placed = await hold('theta');
  const keepers = () => testing.database.within(ground.scope, (tx) => store.onArchive(tx, archiveId));
  expect(await keepers()).not.toContain(placed.name);
  await mailbox.commit({ t: 'lunch' });
  expect(await keepers()).toContain(placed.name);
  await mailbox.read();
  expect(await keepers()).not.toContain(placed.name);
  await mailbox.commit({ u: 'theta' });
  await mailbox.read();
  expect(await keepers()).toContain(placed.name);
  await end(placed);
  expect(await keepers()).not.toContain(placed.name);
});

test('only what the search finds is marked as held, in lists of mailboxes too', async () => {
  const [held, free] = [await aMailbox(), await aMailbox()];
  await held.commit({ x: 'omega' });
  await free.commit({ y: 'psi' });
  await held.read();
  await free.read();
  const placed = await hold('omega');
  const listed = await testing.database.within(ground.scope, async (tx) => {
    const on = (resourceId: string) => store.on(tx, { resourceId, locationId: ground.locationId });
    const named = (all: Awaited<ReturnType<typeof on>>) => all.find(({ name }) => name === placed.name)?.sequences?.size;
    return [named(await on(held.resourceId)), named(await on(free.resourceId))];
  });
  expect(listed).toEqual([1, 0]);
  const { items } = (await send<{ items: { resourceId: string; isHeld: boolean }[] }>(`discovery/${ground.locationId}/sources?limit=100`))
    .body;
  const isHeld = ({ resourceId }: { resourceId: string }) => items.find((one) => one.resourceId === resourceId)?.isHeld;
  await end(placed);
  expect([isHeld(held), isHeld(free)]).toEqual([true, false]);
});
