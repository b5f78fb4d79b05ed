import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createAuditInbox } from '../audit/index.ts';
import { createSearchComparison } from './search-comparison.service.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { anIndexedMailbox, type IndexedMailbox } from './testing/indexed.ts';

/** A17: what an index loses is seen at once, and the night has it read again. */
const testing = testDatabase(import.meta.url);
const clock = createFakeClock();
const DAY_MS = 24 * 60 * 60_000;
const store = createSearchIndexStore(testing.database);
const audit = createAuditInbox({ clock, ids: testIds });
const alarmed: number[] = [];
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
let mailbox: IndexedMailbox;

const comparison = createSearchComparison({
  database: testing.database,
  clock,
  logger: silentLogger,
  scopes: async () => [ground.scope],
  async alarm(tx, { sourceId, versions }) {
    alarmed.push(versions);
    const subject = { kind: 'source', id: sourceId };
    await audit.record(tx, { event: 'alarms.search-index-lost', outcome: 'failed', actor: { kind: 'system', name: 'search' }, subject });
  },
});
const subjects = { m1: 'An offer', m2: 'Another offer', m3: 'An invoice' };

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  mailbox = await anIndexedMailbox(testing.database, ground, 'Adele Vance');
  await mailbox.receive(subjects);
}, 120_000);
afterAll(() => server.close());

async function searched(): Promise<readonly [hits: number, items: number, searched: number]> {
  const body = { query: 'offer OR invoice', reason: 'Test' };
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/search`, { token: owner.tokens.main, body });
  const { total, coverage } = (await answer.json()) as SearchAnswer;
  return [total, coverage.items, coverage.searched];
}

/** The indexer's next look finds nothing more, and the one after it what the index has lost. */
async function night(): Promise<number[]> {
  await store.unread(ground.scope, 1_000);
  alarmed.length = 0;
  await clock.advance(DAY_MS);
  await comparison.turn(new AbortController().signal);
  return [...alarmed];
}
const lost = async (): Promise<unknown> => (await testing.asSuperuser('select lost from search_comparisons'))[0]?.['lost'];

test('A17: an index that is whole raises no alarm, and is compared once a night', async () => {
  expect(await night()).toEqual([]);
  expect(await searched()).toEqual([3, 3, 3]);
  expect(Number(await lost())).toBe(0);
});

test('A17: rows of words that were deleted are missing from the coverage at once, and are read again', async () => {
  await testing.asSuperuser(`delete from search_words where item_no = (select item_no from search_items where item_key = 'm1')`);
  expect(await searched()).toEqual([2, 3, 2]);
  await mailbox.receive({ m1: 'An offer' });
  expect(await searched()).toEqual([3, 4, 4]);
});

test('A17: items that were deleted from the index are missing from the coverage at once, and are read again', async () => {
  await testing.asSuperuser(`delete from search_items where item_key = 'm2'`);
  expect(await searched()).toEqual([2, 4, 3]);
  const [unread] = await store.unread(ground.scope, 10);
  expect(unread?.itemKey).toBe('m2');
  await mailbox.receive({ m2: 'Another offer' });
});

test('A17: what was deleted past every trigger is found by the night, which raises an alarm and has it read again', async () => {
  await night();
  await testing.asSuperuser(`begin; set local session_replication_role = replica;
    delete from search_words where item_no in (select item_no from search_items where item_key = 'm3');
    delete from search_items where item_key = 'm1'; commit`);
  expect(await night()).toEqual([expect.any(Number)]);
  const missing = (await store.unread(ground.scope, 10)).map(({ itemKey }) => itemKey).sort();
  expect(new Set(missing)).toEqual(new Set(['m1', 'm3']));
  expect(alarmed).toEqual([missing.length]);
  expect(Number(await lost())).toBe(missing.length);
  const events = await testing.asSuperuser(`select event from audit_inbox where event like 'alarms.%'`);
  expect(events).toEqual([{ event: 'alarms.search-index-lost' }]);
  // Once is enough: the next night finds an index that is being read.
  await mailbox.receive(subjects);
  expect(await night()).toEqual([]);
  expect((await searched())[0]).toBe(3);
});

test('A17: what retention takes out of the catalog leaves the index without an alarm, and nothing is read again', async () => {
  await night();
  const [before] = await searched();
  await testing.asSuperuser(`delete from catalog_items where item_key = 'm3'`);
  expect((await searched())[0]).toBe(before - 1);
  expect(await testing.asSuperuser('select read_through from search_sources where read_through = 0')).toEqual([]);
  expect(await night()).toEqual([]);
});
