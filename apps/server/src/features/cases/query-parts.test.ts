import { parseQuery } from '@holdfast/contract/query/parse';
import { printQuery } from '@holdfast/contract/query/print';
import { expect, test } from 'vitest';
import { partsOf } from './query-parts.ts';

function read(text: string): readonly (readonly string[])[] {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  const { terms, groups } = partsOf(query);
  return [terms.map(printQuery), groups.map(printQuery)];
}

test('a query has its terms and the groups that it joins; what it excludes is no part', () => {
  expect(read('offer (kündigung OR resign*) NOT newsletter')).toEqual([['offer', 'kündigung', 'resign*'], ['kündigung OR resign*']]);
  expect(read('invoice NEAR(5) overdue from:anna')).toEqual([['invoice NEAR(5) overdue', 'from:anna'], []]);
});

test('a term that comes twice is one part, and a query of one term has none', () => {
  expect(read('offer OR (offer subject:late)')).toEqual([['offer', 'subject:late'], ['offer AND subject:late']]);
  expect(read('offer')).toEqual([[], []]);
  expect(read('')).toEqual([[], []]);
});
