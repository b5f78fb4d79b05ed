import { testDatabase } from '@holdfast/database/testing/test-database';
import { beforeAll, expect, test } from 'vitest';
import { proveQueries, proveWildcards } from './testing/prove-queries.ts';
import { createSearchCorpus, CUTS, longest, longPhrase, queryOf, repeated, type SearchCorpus } from './testing/search-corpus.ts';

/** Queries over the index beside a slow reading of the same items. */
const testing = testDatabase(import.meta.url);
const QUERIES = Number(process.env['TEST_QUERIES'] ?? 10_000);
let corpus: SearchCorpus;

beforeAll(async () => {
  corpus = await createSearchCorpus(testing);
}, 240_000);

async function found(text: string): Promise<readonly number[]> {
  return (await corpus.found([queryOf(text)]))[0] ?? [];
}

test('A10, A12: a phrase is found wherever the text was cut, and at its very end', async () => {
  expect(await found('"rare phrase here"')).toHaveLength(CUTS);
  expect(await found('rare NEAR(2) here')).toHaveLength(CUTS);
  expect(await found('"final words" word199999')).toHaveLength(1);
  expect(await found('"the cat" subject:often')).toHaveLength(1);
});

test('A12: a phrase is found wherever a word came too often for one slice', async () => {
  expect(await found('"again and once again"')).toHaveLength(repeated.length);
  expect(await found('and ONEAR(1) again')).toHaveLength(repeated.length);
  expect(await found('"once again and"')).toEqual([]);
});

test('A12: the longest phrase and the widest group with NEAR are found wherever a slice ends in them', async () => {
  expect(await found(`"${longPhrase}"`)).toHaveLength(longest.length);
  expect(await found('"long0 long1" ONEAR(64) long66')).toHaveLength(longest.length);
  expect(await found('long30 NEAR(64) long95')).toHaveLength(longest.length);
  expect(await found('long30 NEAR(64) long96')).toEqual([]);
});

test('A10: the 60th word of a query changes what it finds', async () => {
  const sixty = Array.from({ length: 59 }, (_, index) => `word${index * 100}`);
  expect(await found([...sixty, 'word199999'].join(' '))).toHaveLength(1);
  expect(await found([...sixty, 'absent'].join(' '))).toEqual([]);
});

test('A13: words of different parts and slices are joined by item', async () => {
  expect(await found('word1 word199999 subject:long')).toHaveLength(1);
  expect(await found('subject:long NOT word199999')).toEqual([]);
});

test(`A11: the index and a slow reading agree on ${QUERIES} random queries`, () => proveQueries(corpus, QUERIES), 600_000);

test(
  `A31: the words of the index and a regular expression agree on ${QUERIES} random wildcards`,
  () => proveWildcards(corpus, QUERIES),
  600_000,
);
