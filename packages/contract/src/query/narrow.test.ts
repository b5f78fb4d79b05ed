import { expect, test } from 'vitest';
import { narrowed } from './narrow.ts';
import { parseQuery } from './parse.ts';
import { printQuery } from './print.ts';
import type { Query } from './tree.ts';

const kind: Query = { kind: 'value', field: 'kind', value: 'docs' };
const folder: Query = { kind: 'text', field: 'folder', match: 'exactly', text: 'Offers "2024"', openStart: false, openEnd: false };
const period: Query = { kind: 'range', field: 'received', low: '2024-02', high: '2024-05', withLow: true, withHigh: true };

test.each([
  ['', kind, 'kind:docs'],
  ['offer', kind, 'offer AND kind:docs'],
  ['offer OR invoice', kind, '(offer OR invoice) AND kind:docs'],
  ['from:anna from:ben', period, '(from:anna OR from:ben) AND received:2024-02..2024-05'],
  ['kind:email', kind, 'kind:email AND kind:docs'],
  ['a b', folder, 'a AND b AND folder="Offers ""2024"""'],
])('%s is narrowed to %j as text, and the text is read as it was meant', (text, term, expected) => {
  const found = narrowed(text, term) ?? '';
  expect(found).toBe(expected);
  const { query } = parseQuery(found);
  expect(query && printQuery(query)).toBe(expected);
});

test('a query with mistakes is not narrowed', () => {
  expect(narrowed('form:anna', kind)).toBeUndefined();
});
