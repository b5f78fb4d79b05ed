import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { beforeAll, expect, test } from 'vitest';
import { naiveMatch } from '../search/testing/naive.ts';
import { createSearchCorpus, queryOf, SHORT, type SearchCorpus } from '../search/testing/search-corpus.ts';
import type { SearchPlace } from '../search/index.ts';
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
