import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { naiveMatch } from '../search/testing/naive.ts';
import { createSearchCorpus, queryOf, SHORT, type SearchCorpus } from '../search/testing/search-corpus.ts';
import { hitsOf, type SearchPlace } from '../search/index.ts';
import { figuresOfQueries } from './case-report.views.ts';
import { partsOf } from './query-parts.ts';

/** The report of hits beside a slow reading of the same items. */
const testing = testDatabase(import.meta.url);
let corpus: SearchCorpus;

const figuresOf = (tx: Tx, places: readonly SearchPlace[]): ReturnType<typeof figuresOfQueries> => {
  const [ground] = places;
  if (!ground) throw new Error('Nothing is asked.');
  return figuresOfQueries(tx, { ground, queries: places });
};

beforeAll(async () => {
  corpus = await createSearchCorpus(testing);
  // The slow reading reads short items alone.
  await testing.asSuperuser('delete from search_items where substr(item_key, 2)::int >= $1', [SHORT]);
}, 240_000);

test.each([
  'anna (offer OR vertrag) NOT subject:cat',
  'subject:anna OR "change of" OR *vertrag OR control',
  'müller (the OR cat OR of) hasattachment:true',
  'anna NEAR(3) offer OR from:control OR (kind:docs the)',
])('A35: hits, unique hits and hits with family of each term and group equal those of a slow reading: %s', async (text) => {
  const items = corpus.items.slice(0, SHORT);
  const { terms, groups } = partsOf(queryOf(text));
  for (const parts of [terms, groups]) {
    if (parts.length === 0) continue;
    const { queries: figures } = await corpus.asked(parts, figuresOf);
    const matched = parts.map((part) => new Set(items.filter((item) => naiveMatch(item, part))));
    const wanted = matched.map((hits, at) => ({
      query: at,
      hits: hits.size,
      unique: [...hits].filter((item) => !matched.some((other, index) => index !== at && other.has(item))).length,
      family: [...hits].reduce((sum, { words }) => sum + 1 + words.attachments.length, 0),
    }));
    expect(figures.map(({ bytes: _bytes, ...one }) => one)).toEqual(wanted.filter(({ hits }) => hits > 0));
  }
  expect(terms.length).toBeGreaterThan(2);
});

/** Rows of a table again, with these values. */
const again = (table: string, values: string, where = 'true'): string =>
  `insert into ${table} overriding system value select (jsonb_populate_record(one, jsonb_build_object(${values}))).* from ${table} one where ${where}`;

/** Every second item gets a newer version that says what another item says, every third a copy in an archive that says what yet another one does. */
async function addVersionsAndCopies(): Promise<void> {
  const [archive, source] = ['00000000-0000-7000-8000-0000000000aa', '00000000-0000-7000-8000-0000000000ab'];
  const [newer, copied] = ['substr(one.item_key, 2)::int % 2 = 0', 'substr(one.item_key, 2)::int % 3 = 0 and one.item_no < 1000000'];
  const words = (by: number, step: number, where: string): string =>
    `insert into search_words select one.organisation_id, one.realm, one.item_no + ${by}, said.slice, said.words, said.leaf from search_items one
      join search_items other on substr(other.item_key, 2)::int = (substr(one.item_key, 2)::int + ${step}) % ${SHORT} and other.item_no < 1000000
      join search_words said on said.item_no = other.item_no where one.item_no < 1000000 and ${where}`;
  for (const statement of [
    "update resources set kind = 'mailbox', workload = 'exchange'",
    "update search_items set content_hash = encode(sha256(item_key::bytea), 'hex')",
    again('resources', `'resource_id', '${archive}', 'kind', 'archive', 'workload', 'archive'`),
    again('catalog_sources', `'source_id', '${source}', 'resource_id', '${archive}'`),
    again('catalog_items', `'source_id', '${source}'`),
    again('catalog_items', "'from_point', one.from_point + 1", `one.source_id <> '${source}'`),
    again('search_items', "'item_no', one.item_no + 1000000, 'from_point', one.from_point + 1", newer),
    words(1_000_000, 7, newer),
    again('search_items', `'item_no', one.item_no + 2000000, 'item_id', one.item_id + 2000000, 'source_id', '${source}'`, copied),
    words(2_000_000, 5, copied),
  ])
    await testing.asSuperuser(statement);
}

test('A35: of items with several versions, and of messages that an archive has as well, the report counts what a search for each term finds', async () => {
  await addVersionsAndCopies();
  const { terms } = partsOf(queryOf('anna OR offer OR vertrag OR the OR cat OR of OR change OR kind:docs OR müller OR subject:anna'));
  const [figures, wanted] = await corpus.asked(terms, async (tx, places) => {
    const ground = places.map((place) => ({ ...place, hasArchives: true }));
    const each: { hits: number; bytes: number; archived: number }[] = [];
    for (const place of ground) {
      const { rows } = await sql<(typeof each)[number]>`select count(*)::int as hits, coalesce(sum(size_bytes), 0)::int as bytes,
        (count(*) filter (where resource_kind = 'archive'))::int as archived from ${hitsOf(place)} hit`.execute(tx);
      each.push(...rows);
    }
    return [(await figuresOf(tx, ground)).queries, each] as const;
  });
  expect(figures.map(({ hits, bytes }) => ({ hits, bytes }))).toEqual(wanted.map(({ hits, bytes }) => ({ hits, bytes })));
  expect(wanted.reduce((sum, { archived }) => sum + archived, 0)).toBeGreaterThan(5);
  expect(new Set(wanted.map(({ hits }) => hits)).size).toBeGreaterThan(3);
});
