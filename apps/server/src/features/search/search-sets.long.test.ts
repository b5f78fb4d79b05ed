import { testDatabase } from '@holdfast/database/testing/test-database';
import { beforeAll, test } from 'vitest';
import { proveQueries, proveWildcards } from './testing/prove-queries.ts';
import { createSearchCorpus, type SearchCorpus } from './testing/search-corpus.ts';

const testing = testDatabase(import.meta.url);
const QUERIES = 20_000;
let corpus: SearchCorpus;

beforeAll(async () => {
  corpus = await createSearchCorpus(testing);
}, 240_000);

test(`A11: the index and a slow reading agree on ${QUERIES} random queries`, () => proveQueries(corpus, QUERIES), 1_200_000);

test(
  `A31: the words of the index and a regular expression agree on ${QUERIES} random wildcards`,
  () => proveWildcards(corpus, QUERIES),
  1_200_000,
);
