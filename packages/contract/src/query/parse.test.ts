import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldNames, kindOf } from './fields.ts';
import { parseQuery } from './parse.ts';
import { queryLimits } from './state.ts';
import { printQuery } from './print.ts';
import type { Query } from './tree.ts';

function readAs(text: string): string {
  const { query, faults } = parseQuery(text);
  expect(faults).toEqual([]);
  return query ? printQuery(query) : '';
}

function faultsOf(text: string): string[] {
  return parseQuery(text).faults.map((fault) => fault.code);
}

test.each([
  ['', ''],
  ['rechnung müller', 'rechnung AND müller'],
  [
    '"change of control" from:@fabrikam.com received:2024-01..2024-06',
    '"change of control" AND from:@fabrikam.com AND received:2024-01..2024-06',
  ],
  ['from:anna from:ben subject:offer', '(from:anna OR from:ben) AND subject:offer'],
  ['from:anna AND from:ben', 'from:anna AND from:ben'],
  ['invoice NEAR(5) overdue NOT subject:newsletter', 'invoice NEAR(5) overdue AND NOT subject:newsletter'],
  ['a ONEAR(n=3) (b OR c)', 'a ONEAR(3) (b OR c)'],
  ['subject:(a NEAR b)', 'subject:(a NEAR(8) b)'],
  ['filetype:xlsx size>5MB -to:board@contoso.com', 'filetype:xlsx AND size>5242880 AND NOT to:board@contoso.com'],
  ['received:"last month" (kündig* OR resign*) mailbox:"Falcon"', 'received:"last month" AND (kündig* OR resign*) AND mailbox:Falcon'],
  ['a OR b c', 'a OR (b AND c)'],
  ['(a OR b) c', '(a OR b) AND c'],
  ['subject:(a OR b c)', 'subject:a OR (subject:b AND subject:c)'],
  ['cc:""', 'cc:""'],
  ['mailbox="Inbox/Offers"', 'mailbox=Inbox/Offers'],
  ['from<>anna', 'NOT from=anna'],
  ['FILENAME:Offer.pdf', 'attachment:Offer.pdf'],
  ['received>=-30d at:2023..*', 'received>=-30d AND at:2023..*'],
  ['http://contoso.com/a?b', '"http://contoso.com/a?b"'],
  ['“change of control”', '"change of control"'],
  ['*trag* *vertrag "lease agree*"', '*trag* AND *vertrag AND "lease agree*"'],
  ['not this', 'not AND this'],
  ['"say ""yes"""', '"say ""yes"""'],
  ['12-345/67 foo_bar', '12-345/67 AND foo_bar'],
])('%s is read as %s', (text, wanted) => {
  const got = readAs(text).replace('"not"', 'not');
  expect(got).toBe(wanted);
});

test.each([
  ['"change of', ['unclosed-quote']],
  ['(a OR b', ['unclosed-parenthesis']],
  ['a) b', ['unexpected-parenthesis']],
  ['()', ['empty-group']],
  ['anna OR', ['missing-operand']],
  ['OR anna', ['missing-operand']],
  ['anna AND', ['missing-operand']],
  ['NEAR anna', ['missing-operand']],
  ['anna NEAR', ['missing-operand']],
  ['NOT', ['missing-operand']],
  ['form:anna', ['unknown-field']],
  ['subject: offer', ['missing-value']],
  ['received:31.02.2024', ['bad-date']],
  ['received:2023-02-29', ['bad-date']],
  ['size:big', ['bad-number']],
  ['kind:mails', ['bad-choice']],
  ['deleted:maybe', ['bad-choice']],
  ['size:5MB..1MB', ['bad-range']],
  ['received:2024-06..2024-01', ['bad-range']],
  ['subject>a', ['wrong-comparison']],
  ['*', ['lone-wildcard']],
  ['ab*', ['short-wildcard']],
  ['*ab', ['short-wildcard']],
  ['a*b*c', ['short-wildcard']],
  ['a NEAR(99) b', ['bad-near']],
  ['a NEAR(0) b', ['bad-near']],
  ['a NEAR subject:b', ['near-operand']],
  ['a NEAR (b c)', ['near-operand']],
  ['a NEAR b NEAR c', ['near-operand']],
  ['subject:(from:a)', ['nested-field']],
  ['&', ['no-words']],
  ['form:a received:x (', ['unknown-field', 'bad-date', 'unclosed-parenthesis']],
] as const)('%s is refused: %s', (text, codes) => {
  const parsed = parseQuery(text);
  expect(faultsOf(text)).toEqual(codes);
  expect(parsed.query).toBeUndefined();
});

test('a fault names its place and what to write instead', () => {
  expect(parseQuery('anna form:ben').faults).toEqual([{ code: 'unknown-field', from: 5, to: 10, text: 'form', suggestion: 'from' }]);
  expect(parseQuery('received:31.02.2024').faults[0]).toMatchObject({ from: 9, to: 19, suggestion: '2024-02-29' });
  expect(parseQuery('kind:emails').faults[0]).toMatchObject({ suggestion: 'email', known: expect.arrayContaining(['docs']) });
});

test('warnings leave the query as it is', () => {
  expect(parseQuery('this and that').warnings.map((one) => one.code)).toEqual(['lower-case-operator']);
  expect(parseQuery('from:a from:b').warnings).toMatchObject([{ code: 'same-field-or', text: 'from' }]);
  expect(parseQuery('社').warnings.map((one) => one.code)).toEqual(['single-character']);
});

test('no term is dropped without a word: the 200th counts and the 201st is refused', () => {
  const words = Array.from({ length: queryLimits.terms }, (_, i) => `word${i}`);
  expect(readAs(words.join(' ')).split(' AND ')).toHaveLength(queryLimits.terms);
  expect(faultsOf([...words, 'more'].join(' '))).toEqual(['too-complex']);
  expect(faultsOf('x'.repeat(queryLimits.characters + 1))).toEqual(['too-complex']);
  expect(faultsOf(`"${'word '.repeat(queryLimits.phraseWords + 1)}"`)).toEqual(['too-complex']);
  expect(faultsOf('('.repeat(5000))).toContain('too-complex');
});

const word = fc.stringMatching(/^[a-zäöüß]{3,8}(?:[-.@][a-z0-9]{1,5})?$/);
const phrase = fc
  .array(fc.oneof(word, fc.constantFrom('AND', '"', '()', 'a:b')), { minLength: 1, maxLength: 4 })
  .map((words) => `x ${words.join(' ')}`);
const textFields = fieldNames.filter((name) => kindOf(name) === 'text' || kindOf(name) === 'address');
const textTerm: fc.Arbitrary<Query> = fc.record({
  kind: fc.constant('text' as const),
  field: fc.constantFrom(null, ...textFields),
  match: fc.constant('contains' as const),
  text: fc.oneof(word, phrase),
  openStart: fc.constant(false),
  openEnd: fc.constant(false),
});
const otherTerm: fc.Arbitrary<Query> = fc.constantFrom<Query>(
  { kind: 'empty', field: 'cc' },
  { kind: 'value', field: 'kind', value: 'email' },
  { kind: 'range', field: 'size', low: '5', high: null, withLow: false, withHigh: false },
  { kind: 'range', field: 'received', low: '2024-05', high: '2024-05', withLow: true, withHigh: true },
  { kind: 'range', field: 'at', low: null, high: 'last month', withLow: true, withHigh: true },
  { kind: 'text', field: null, match: 'contains', text: 'vertrag', openStart: true, openEnd: true },
  { kind: 'text', field: 'subject', match: 'exactly', text: 'Offer of May', openStart: false, openEnd: false },
);
const tree = fc.letrec<{ node: Query; group: Query }>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, textTerm, otherTerm, tie('group')),
  group: fc.oneof(
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('node'), { minLength: 2, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('node') }),
    fc.tuple(word, word, word).map(([a, b, c]): Query => {
      const operand = (text: string): Query => ({
        kind: 'text',
        field: 'subject',
        match: 'contains',
        text,
        openStart: false,
        openEnd: false,
      });
      const gaps = [{ distance: a.length, isOrdered: b.length > 4 }];
      return { kind: 'near', operands: [operand(a), { kind: 'or', of: [operand(b), operand(c)] }], gaps };
    }),
  ),
})).node;

test('A11: what is printed parses to the same tree', () => {
  fc.assert(
    fc.property(tree, (query) => {
      const parsed = parseQuery(printQuery(query));
      expect(parsed.faults).toEqual([]);
      expect(parsed.query).toEqual(query);
    }),
    { numRuns: 2000 },
  );
});

test('A11: any text at all is read or refused, never thrown at', () => {
  const piece = fc.constantFrom(
    '(',
    ')',
    '"',
    'AND',
    'OR',
    'NOT',
    'NEAR(',
    'from:',
    'size>',
    '..',
    '*',
    '-',
    'a',
    '社',
    '5MB',
    ' ',
    'received:',
    '=',
    '""',
    '„',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
      ),
      (text) => {
        const { query, faults } = parseQuery(text);
        expect(query === undefined).toBe(faults.length > 0);
        expect(query && parseQuery(printQuery(query)).query).toEqual(query);
        for (const fault of faults) expect(fault.to).toBeGreaterThanOrEqual(fault.from);
      },
    ),
    { numRuns: 5000 },
  );
});
