import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './parse.ts';
import { comparisonsOf, rowsOf, textOfRows, type QueryRow } from './rows.ts';
import { fieldNames } from './fields.ts';
import { anyQuery } from './testing/any-query.ts';

const rowsOfText = (text: string): readonly QueryRow[] => {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  return rowsOf(query);
};
const row = (field: QueryRow['field'], comparison: QueryRow['comparison'], value: string, more: Partial<QueryRow> = {}): QueryRow => ({
  isNot: false,
  field,
  comparison,
  value,
  until: '',
  ...more,
});

test('rows turn into a query and back without loss', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const { query: back, faults } = parseQuery(textOfRows(rowsOf(query)));
      expect(faults).toEqual([]);
      expect(back).toEqual(query);
    }),
    { numRuns: 5_000 },
  );
});

test.each<[string, readonly QueryRow[]]>([
  ['offer NOT from:anna', [row(null, 'contains', 'offer'), row('from', 'contains', 'anna', { isNot: true })]],
  ['subject="Offer of May"', [row('subject', 'exactly', 'Offer of May')]],
  ['"change of cont*" *vertrag*', [row(null, 'contains', 'change of cont*'), row(null, 'contains', '*vertrag*')]],
  ['received:2024-01..2024-06', [row('received', 'between', '2024-01', { until: '2024-06' })]],
  ['received:2024..* size>5MB', [row('received', 'between', '2024', { until: '*' }), row('size', 'after', '5242880')]],
  ['received:"last month" kind:docs', [row('received', 'is', 'last month'), row('kind', 'is', 'docs')]],
  ['cc:"" (a OR b)', [row('cc', 'empty', ''), row(null, 'query', 'a OR b')]],
  ['', []],
])('%s', (text, rows) => {
  expect(rowsOfText(text)).toEqual(rows);
  expect(parseQuery(textOfRows(rows)).query).toEqual(parseQuery(text).query);
});

test('a row without a value says nothing yet, and a value is never read as an operator, a field or a group', () => {
  expect(textOfRows([row('from', 'contains', ''), row(null, 'contains', 'offer')])).toBe('offer');
  for (const value of ['OR', 'a OR b', '(a', 'from:ben', '-5', 'say "no"', 'a..b']) {
    const { query } = parseQuery(textOfRows([row('subject', 'contains', value)]));
    expect([value, query]).toEqual([
      value,
      { kind: 'text', field: 'subject', match: 'contains', text: value, openStart: false, openEnd: false },
    ]);
  }
});

test('what cannot be read is told of where the text is, and is not lost on the way', () => {
  expect(parseQuery(textOfRows([row('received', 'is', '31.02.2024')])).faults.map(({ code }) => code)).toEqual(['bad-date']);
  expect(parseQuery(textOfRows([row(null, 'contains', '*two words')])).query).toBeUndefined();
});

test('every field can be compared by something', () => {
  for (const field of [null, ...fieldNames]) expect(comparisonsOf(field).length).toBeGreaterThan(0);
});
