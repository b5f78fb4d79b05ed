import type { Scope } from '@holdfast/database';
import { anOrganisationId, testDatabase } from '@holdfast/database/testing/test-database';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { anIndexedMailbox } from './testing/indexed.ts';

/** How the words of an index are looked up, as the application and past nobody's isolation. */
const testing = testDatabase(import.meta.url);
let ground: Ground;
let other: Ground;
const plans: string[] = [];
let session: pg.Client;

const MESSAGES = 300;

/** A connection that may become the application, and is told the plan of each statement, those inside of functions included. */
async function openSession(): Promise<pg.Client> {
  const url = new URL(inject('postgresAdministratorUrl'));
  url.pathname = new URL(testing.ownerUrl).pathname;
  const client = new pg.Client({ connectionString: url.href });
  client.on('notice', ({ message }) => plans.push(message ?? ''));
  await client.connect();
  await client.query(`load 'auto_explain'`);
  await client.query(
    `set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_level = notice`,
  );
  await client.query('set role holdfast_application');
  return client;
}

/** The plans of the statements over a table that answering a statement takes, within a scope. */
async function plansOf(table: string, { organisationId, realm }: Scope, statement: string): Promise<string[]> {
  await session.query(`begin; set local holdfast.organisation = '${organisationId}'; set local holdfast.realm = '${realm}'`);
  plans.length = 0;
  // Without parameters: with them the plan is told of only when the next statement begins.
  await session.query(statement);
  const found = plans.filter((plan) => plan.includes(` on ${table}`));
  await session.query('rollback');
  return found;
}

beforeAll(async () => {
  ground = await aGround(testing.database);
  other = await aGround(testing.database);
  const subjects = Object.fromEntries(
    Array.from({ length: MESSAGES }, (_, n) => [`m${n}`, `common word${n} ${n === 7 ? 'rare' : 'plain'} Mietvertrag${n}`]),
  );
  for (const one of [ground, other]) await (await anIndexedMailbox(testing.database, one, 'Ann')).receive(subjects);
  session = await openSession();
}, 120_000);
afterAll(() => session.end());

test.each(['common', 'rare', 'absent', "'common' <-> 'word7'"])(
  'A14: the index of words answers %s, and no row is asked for words outside of it',
  async (words) => {
    for (const leaf of [null, 15_000]) {
      const asked = `select holdfast.items_with_words($words$${words}$words$::tsquery, ${leaf}::integer)`;
      const [plan = '', ...more] = await plansOf('search_words', ground.scope, asked);
      expect(more).toEqual([]);
      expect(plan).toMatch(/Bitmap Index Scan on search_words_words[\s\S]*Index Cond: .*organisation_id.*words @@/);
      expect(plan).not.toMatch(/Filter: .*@@/);
      expect(plan).not.toContain('Seq Scan');
    }
  },
);

test('A31: the index of parts of words answers what is open at its beginning', async () => {
  // Of a few hundred words the planner would rather read all.
  await testing.asSuperuser(
    `insert into search_vocabulary (organisation_id, realm, word) select $1, 'production', 'filling' || n from generate_series(1, 30000) n`,
    [ground.scope.organisationId],
  );
  await testing.asSuperuser('analyze search_vocabulary');
  const [plan = ''] = await plansOf('search_vocabulary', ground.scope, `select holdfast.words_like('%vertrag7%')`);
  expect(plan).toMatch(/Bitmap Index Scan on search_vocabulary_parts[\s\S]*Index Cond: .*organisation_id.*word ~~/);
  expect(plan).not.toContain('Seq Scan');
});

/** So many words a message, none of them twice, are more than may wait. */
const WORDS = 60;

test('A15: what waits to be sorted into the indexes of words and of their parts stays small, however much is written', async () => {
  await testing.asSuperuser('create extension if not exists pageinspect');
  const ben = await anIndexedMailbox(testing.database, ground, 'Ben');
  const subjectOf = (n: number): string => Array.from({ length: WORDS }, (_, index) => `pending${n}x${index}`).join(' ');
  await ben.receive(Object.fromEntries(Array.from({ length: MESSAGES }, (_, n) => [`b${n}`, subjectOf(n)])));
  for (const name of ['search_words_words', 'search_vocabulary_parts']) {
    const [index] = await testing.asSuperuser(`select (gin_metapage_info(get_raw_page('${name}', 0))).n_pending_pages as waiting,
      pg_relation_size('${name}') / current_setting('block_size')::integer as pages`);
    expect([name, Number(index?.['pages']) > 100]).toEqual([name, true]);
    // 256 kB, and what the last row added.
    expect([name, Number(index?.['waiting']) <= 40]).toEqual([name, true]);
  }
});

test('without these functions the application would have every row asked: no index serves it under row-level security', async () => {
  await session.query('set enable_seqscan = off');
  const [words = ''] = await plansOf('search_words', ground.scope, `select item_no from search_words where words @@ 'rare'::tsquery`);
  const [parts = ''] = await plansOf('search_vocabulary', ground.scope, `select word from search_vocabulary where word like '%trag7%'`);
  await session.query('reset enable_seqscan');
  expect(words).toMatch(/Filter: .*@@/);
  expect(words).not.toMatch(/Index Cond: .*@@/);
  expect(parts).toMatch(/Filter: .*~~/);
});

async function lookedUp(scope: Scope): Promise<{ items: number; words: number }> {
  return testing.database.within(scope, async (tx) => {
    const items = await sql`select holdfast.items_with_words('common'::tsquery, null)`.execute(tx);
    const later = await sql`select holdfast.items_with_words('common'::tsquery, 0)`.execute(tx);
    expect(later.rows).toHaveLength(items.rows.length);
    return { items: items.rows.length, words: (await sql`select holdfast.words_like('mietvertrag%')`.execute(tx)).rows.length };
  });
}

test('A16: words are looked up in the organisation and realm of the transaction alone, and in none without one', async () => {
  expect(await lookedUp(ground.scope)).toEqual({ items: MESSAGES, words: MESSAGES });
  expect(await lookedUp(other.scope)).toEqual({ items: MESSAGES, words: MESSAGES });
  expect(await lookedUp({ ...ground.scope, realm: 'staging' })).toEqual({ items: 0, words: 0 });
  expect(await lookedUp({ organisationId: anOrganisationId(), realm: 'production' })).toEqual({ items: 0, words: 0 });
  const unscoped = await testing.database.installation((tx) => sql`select holdfast.items_with_words('common'::tsquery, null)`.execute(tx));
  expect(unscoped.rows).toEqual([]);
  const [ours] = await testing.asSuperuser(
    'select min(item_no) as first, max(item_no) as last from search_items where organisation_id = $1',
    [ground.scope.organisationId],
  );
  const found = await testing.database.within(ground.scope, (tx) =>
    sql<{ no: number }>`select holdfast.items_with_words('common'::tsquery, null) as no`.execute(tx),
  );
  for (const { no } of found.rows) expect(no >= Number(ours?.['first']) && no <= Number(ours?.['last'])).toBe(true);
});

test('A16: the application reads no row of another organisation, and can not become who may', async () => {
  const rows = await testing.database.within(ground.scope, (tx) =>
    sql<{ n: number }>`select count(*)::int as n from search_words where organisation_id = ${other.scope.organisationId}`.execute(tx),
  );
  expect(rows.rows).toEqual([{ n: 0 }]);
  const owner = new URL(testing.ownerUrl).username;
  await expect(testing.database.installation((tx) => sql.raw(`set local role ${owner}`).execute(tx))).rejects.toMatchObject({
    code: '42501',
  });
});

test('should the owner of the index change, the same is found', async () => {
  const roles = await testing.asSuperuser(`select tablename from pg_policies where policyname = 'lookup' order by 1`);
  expect(roles.map((row) => row['tablename'])).toEqual(['search_vocabulary', 'search_words']);
  await testing.asSuperuser('drop policy lookup on search_words; drop policy lookup on search_vocabulary');
  expect(await lookedUp(ground.scope)).toEqual({ items: MESSAGES, words: MESSAGES });
  expect(await lookedUp({ ...ground.scope, realm: 'staging' })).toEqual({ items: 0, words: 0 });
});
