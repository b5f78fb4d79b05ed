import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import { reviewItemsMax, type ReviewItem, type ReviewSet } from '@holdfast/contract/review-values';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox } from '../search/testing/indexed.ts';

/** A review set of as many items as one takes: it is there as a whole or not at all. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let administrator: SignedIn;
let caseId = '';

async function ask<T>(to: string, body?: object, method?: string): Promise<{ status: number; body: T & { code?: string } }> {
  const options = {
    token: administrator.tokens.main,
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  };
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/cases${to}`, options);
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T & { code?: string } };
}

const makeSet = (name: string, sample: object | null = null) =>
  ask<ReviewSet>(`/${caseId}/review`, { name, source: { kind: 'allQueries' }, sample });
const rowsOf = async (table: string): Promise<number> => {
  const [row] = await testing.asSuperuser(`select count(*)::int as rows from ${table}`);
  return Number(row?.['rows']);
};

/** Copies one message under other keys until there are so many. */
async function fill(messages: number): Promise<void> {
  const common = (table: string, changed: Readonly<Record<string, string>>, left: readonly string[] = []): Promise<unknown> =>
    testing.asSuperuser(`do $$ declare names text; begin
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) into names from information_schema.columns
        where table_name = '${table}' and table_schema = any(current_schemas(false))
          and column_name <> all(array[${[...Object.keys(changed), ...left].map((name) => `'${name}'`).join(', ')}]::text[]);
      execute 'insert into ${table} (' || names || ', ${Object.keys(changed).join(', ')}) select ' || names || ', ${Object.values(changed)
        .join(', ')
        .replaceAll("'", "''")} from ${table}, generate_series(1, ${messages - 1}) number where item_key = ''m0''';
    end $$`);
  await common('catalog_items', { item_key: "'x' || number" });
  await common(
    'search_items',
    {
      item_key: "'x' || number",
      item_id: "nextval('search_item_ids')",
      at: "at + number * interval '1 second'",
      content_hash: 'md5((number / 2)::text)',
    },
    ['item_no'],
  );
  await testing.asSuperuser('analyze');
}

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  administrator = await server.member(ground.scope.organisationId, 'administrator');
  await (await anIndexedMailbox(testing.database, ground, 'Adele Vance')).receive({ m0: 'Offer' });
  await fill(reviewItemsMax + 1);
  ({ caseId } = (await ask<CaseDetails>('', { matter: 'Falcon', reference: '', from: null, to: null })).body);
  const { items } = (await ask<Page<CasePerson>>(`/${caseId}/people`)).body;
  await ask(`/${caseId}/custodians`, { keys: items.map(({ key }) => key) });
  await ask(`/${caseId}/queries`, { name: 'All', query: '' });
}, 240_000);
afterAll(() => server.close());

test('one item more than a set takes is refused and leaves nothing, and a sample of all of it is a set', async () => {
  expect((await makeSet('Too many')).body.code).toBe('reviews.too-many');
  expect([await rowsOf('review_sets'), await rowsOf('review_items')]).toEqual([0, 0]);
  expect((await makeSet('Sample', { size: 1_000, seed: 'x' })).body).toMatchObject({ items: 1_000, population: reviewItemsMax + 1 });
  await testing.asSuperuser(`delete from review_sets`);
}, 120_000);

test('a set of 100,000 items whose making is killed is not there, and made again it is whole and read page by page', async () => {
  await testing.asSuperuser(`delete from catalog_items where item_key = 'm0'`);
  const killed = makeSet('Whole');
  await vi.waitFor(
    async () => {
      const rows = await testing.asSuperuser(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like '%insert into review_items%' and pid <> pg_backend_pid()`,
      );
      if (rows.length === 0) throw new Error('Nothing is being frozen yet.');
    },
    { timeout: 60_000, interval: 20 },
  );
  expect((await killed).status).toBeGreaterThanOrEqual(500);
  expect([await rowsOf('review_sets'), await rowsOf('review_items')]).toEqual([0, 0]);
  const made = await makeSet('Whole');
  expect(made.body).toMatchObject({ items: reviewItemsMax, population: reviewItemsMax });
  const last = await ask<Page<ReviewItem>>(`/${caseId}/review/${made.body.setId}/items`, {
    limit: 200,
    cursor: Buffer.from('50000').toString('base64url'),
  });
  const [item] = last.body.items;
  await ask(`/${caseId}/review/${made.body.setId}/items/${item?.position}`, { status: 'relevant', revision: 0 }, 'PUT');
  const set = await ask<ReviewSet>(`/${caseId}/review/${made.body.setId}`);
  expect(set.body.progress.relevant).toBe(1);
  expect(item?.place).toBe('kept');
}, 240_000);
