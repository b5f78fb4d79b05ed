import type { Overview } from '@holdfast/contract/dashboard';
import type { SavedSearch, SearchDifference } from '@holdfast/contract/saved-searches';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuditorGround } from '../auditor-access/index.ts';
import { createCaseGround } from '../cases/index.ts';
import { createContentAccess } from '../content-access/index.ts';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createSearchAlerts, type SearchFound } from './search-alerts.service.ts';
import { anIndexedMailbox, type IndexedMailbox } from './testing/indexed.ts';

const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
let mailbox: IndexedMailbox;
const notified: SearchFound[] = [];

const alerts = createSearchAlerts({
  database: testing.database,
  clock: systemClock,
  logger: silentLogger,
  access: createContentAccess({
    clock: systemClock,
    cases: createCaseGround({ clock: systemClock }),
    auditors: createAuditorGround({ clock: systemClock }),
  }),
  scopes: async () => [ground.scope],
  notify: async (_tx, _scope, found) => void notified.push(found),
});

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  mailbox = await anIndexedMailbox(testing.database, ground, 'Adele Vance');
  await mailbox.receive({ m1: 'An offer', m2: 'Another offer', m3: 'An invoice' });
}, 120_000);
afterAll(() => server.close());

type Answer<T> = { status: number; body: T & { code?: string } };
async function send<T>(path: string, options: { method?: string; body?: unknown; as?: SignedIn; headers?: Record<string, string> } = {}) {
  const { as = owner, ...rest } = options;
  const answer = await server.send(`/apollo/api/${ground.tenantId}/${path}`, { token: as.tokens.main, ...rest });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) } as Answer<T>;
}

async function save(name: string, query: string, hasAlert = false): Promise<SavedSearch> {
  const { status, body } = await send<SavedSearch>('archive/searches', { body: { name, query, hasAlert } });
  expect(status).toBe(201);
  return body;
}
const run = (searchId: string) => send<SearchAnswer>(`archive/searches/${searchId}/run`, { body: { reason: 'Case 17' } });
const read = async (searchId: string): Promise<SavedSearch> => (await send<SavedSearch>(`archive/searches/${searchId}`)).body;

/** Lets every alert be due, and checks them. */
async function check(): Promise<SearchFound[]> {
  notified.length = 0;
  await testing.asSuperuser("update saved_searches set checked_at = checked_at - interval '1 hour'");
  await alerts.turn(new AbortController().signal);
  return [...notified];
}

test('a search is saved under a name, listed, run with a reason and deleted', async () => {
  const saved = await save('Offers', 'offer');
  expect(saved).toMatchObject({ name: 'Offers', query: 'offer', queryVersion: 1, version: 1, owner: owner.email, newHits: 0 });
  const { body } = await send<{ items: SavedSearch[] }>('archive/searches');
  expect(body.items).toContainEqual(saved);
  const answer = await run(saved.searchId);
  expect([answer.status, answer.body.total, answer.body.readAs]).toEqual([200, 2, 'offer']);
  expect((await send(`archive/searches/${saved.searchId}`, { method: 'DELETE' })).status).toBe(204);
  expect((await send(`archive/searches/${saved.searchId}`)).status).toBe(404);
});

test('running a saved search is in the audit log like any other, and so is each change of it', async () => {
  const { searchId } = await save('Logged', 'invoice');
  await run(searchId);
  const rows = await testing.asSuperuser("select event, payload from audit_inbox where event like 'search.%' order by id desc limit 2");
  expect(rows.map((row) => row['event'])).toEqual(['search.ran', 'search.saved']);
  expect(rows[0]).toMatchObject({ payload: { reason: 'Case 17', details: { query: 'invoice', hits: 1 } } });
  expect(rows[1]).toMatchObject({ payload: { details: { query: 'invoice', alert: false } } });
});

test('a query with mistakes is not saved, and neither is a name that is taken or empty', async () => {
  const refused = async (body: object) => {
    const answer = await send<{ errors?: object }>('archive/searches', { body });
    return [answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})];
  };
  await save('Taken', 'offer');
  expect(await refused({ name: 'Bad', query: 'form:anna' })).toEqual([400, 'search.invalid', ['query']]);
  expect(await refused({ name: 'tAKEN', query: 'offer' })).toEqual([409, 'search.name-taken', ['name']]);
  expect(await refused({ name: ' ', query: 'offer' })).toEqual([400, 'request.invalid', ['name']]);
});

test('another query is another version; a change of what somebody else has changed is refused', async () => {
  const { searchId } = await save('Versions', 'offer');
  const put = (body: object, version: number) =>
    send<SavedSearch>(`archive/searches/${searchId}`, { method: 'PUT', body, headers: { 'if-match': `"${version}"` } });
  const renamed = await put({ name: 'Renamed', query: 'offer' }, 1);
  expect(renamed.body).toMatchObject({ name: 'Renamed', queryVersion: 1, version: 2 });
  expect((await put({ name: 'Late', query: 'invoice' }, 1)).status).toBe(412);
  expect((await put({ name: 'Renamed', query: 'invoice' }, 2)).body).toMatchObject({ query: 'invoice', queryVersion: 2, version: 3 });
  const kept = await testing.asSuperuser('select query from saved_search_queries where search_id = $1 order by query_version', [searchId]);
  expect(kept.map((row) => row['query'])).toEqual(['offer', 'invoice']);
});

test('the difference to another query is counted both ways, by item', async () => {
  const { searchId } = await save('Difference', 'offer');
  const body = { query: 'an', reason: 'Case 17' };
  const { body: found } = await send<SearchDifference>(`archive/searches/${searchId}/difference`, { body });
  expect(found).toEqual({ added: 1, removed: 1, uses: [] });
});

test('an alert notifies of each new item once, and of none that matched when it was set', async () => {
  const { searchId } = await save('Alert', 'contract', true);
  expect(await check()).toEqual([]);
  await mailbox.receive({ c1: 'A contract', c2: 'Something else' });
  expect(await check()).toEqual([{ searchId, name: 'Alert', ownerId: owner.accountId, hits: 1 }]);
  expect(await check()).toEqual([]);
  // Another version of the same message, and one that is read into the index again, are not new.
  await mailbox.receive({ c1: 'The contract' });
  await testing.asSuperuser('delete from search_items');
  await testing.asSuperuser('delete from search_sources');
  await mailbox.receive({ c1: 'A contract', c2: 'A contract too', m1: 'An offer', m2: 'Another offer', m3: 'An invoice' });
  expect(await check()).toMatchObject([{ hits: 1 }]);
  expect((await read(searchId)).newHits).toBe(2);
});

test('the overview names searches with new hits until they are run, to those alone who may run them', async () => {
  const { searchId, name } = await save('Shown', 'shown', true);
  await mailbox.receive({ s1: 'To be shown' });
  await check();
  const shown = async (as = owner): Promise<unknown[]> =>
    (await send<Overview>('dashboard/overview', { as })).body.attention.filter((entry) => entry.name === name);
  const named = { kind: 'search', code: 'search.new-hits', name, link: `/search?saved=${searchId}` };
  expect(await shown()).toEqual([{ ...named, isRisk: false, jobId: null, since: expect.any(String) as string }]);
  const operator = await server.member(ground.scope.organisationId, 'operator');
  expect(await shown(operator)).toEqual([]);
  await run(searchId);
  expect((await read(searchId)).newHits).toBe(0);
  expect(await shown()).toEqual([]);
});

test('an alert that is switched off finds nothing, and another query begins with what it finds', async () => {
  const { searchId } = await save('Switched', 'switched', true);
  const put = (body: object) => send(`archive/searches/${searchId}`, { method: 'PUT', body: { name: 'Switched', ...body } });
  await put({ query: 'switched', hasAlert: false });
  await mailbox.receive({ w1: 'Switched off' });
  expect(await check()).toEqual([]);
  await put({ query: 'off', hasAlert: true });
  expect(await check()).toEqual([]);
  expect(await testing.asSuperuser('select item_key from saved_search_hits where search_id = $1', [searchId])).toEqual([
    { item_key: 'w1' },
  ]);
});

test('two workers that check at once notify once', async () => {
  await save('Twice', 'twice', true);
  await mailbox.receive({ t1: 'Twice is once too often' });
  notified.length = 0;
  await testing.asSuperuser("update saved_searches set checked_at = checked_at - interval '1 hour'");
  const { signal } = new AbortController();
  await Promise.all([alerts.turn(signal), alerts.turn(signal)]);
  expect(notified.map(({ name, hits }) => [name, hits])).toEqual([['Twice', 1]]);
});

test('a saved search of another tenant or for another role is not there', async () => {
  const { searchId } = await save('Ours', 'offer');
  const operator = await server.member(ground.scope.organisationId, 'operator');
  expect((await send('archive/searches', { as: operator })).status).toBe(403);
  const other = await aGround(testing.database);
  const stranger = await server.member(other.scope.organisationId, 'owner');
  const answer = await server.send(`/apollo/api/${other.tenantId}/archive/searches/${searchId}`, { token: stranger.tokens.main });
  expect(answer.status).toBe(404);
});
