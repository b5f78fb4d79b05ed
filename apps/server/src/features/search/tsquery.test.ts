import type { TextTerm } from '@holdfast/contract/query/tree';
import { expect, test } from 'vitest';
import { termQueries } from './tsquery.ts';

const term: TextTerm = { kind: 'text', field: null, match: 'contains', text: 'trag', openStart: true, openEnd: true };
const known = (count: number) => () => Array.from({ length: count }, (_, index) => `trag${index}`);

test('A31: a wildcard that stands for very many words is several queries, with each of its words in one of them', () => {
  const queries = termQueries(term, known(12_001));
  expect(queries).toHaveLength(3);
  const words = queries.flatMap((query) => query.match(/trag\d+/g) ?? []);
  expect(words).toEqual(known(12_001)());
});

test('a wildcard that stands for few words is one query, and one that stands for none is no query', () => {
  expect(termQueries(term, known(2))).toEqual(["(('trag0' | 'trag1'))"]);
  expect(termQueries(term, known(0))).toEqual([]);
  expect(termQueries({ ...term, openStart: false, openEnd: false }, known(0))).toEqual(["('trag')"]);
});
