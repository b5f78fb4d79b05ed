import fc from 'fast-check';
import { fieldNames, kindOf } from '../fields.ts';
import type { Query } from '../tree.ts';

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
  { kind: 'value', field: 'messageid', value: 'a"b <c>+d=@contoso.com' },
  { kind: 'value', field: 'conversation', value: 'AAQkAGI..2=' },
  { kind: 'text', field: 'path', match: 'contains', text: 'Inbox/Offers (new)', openStart: false, openEnd: false },
  { kind: 'text', field: 'folderid', match: 'exactly', text: 'AAMkAGI2_-=', openStart: false, openEnd: false },
  { kind: 'range', field: 'size', low: '5', high: null, withLow: false, withHigh: false },
  { kind: 'range', field: 'received', low: '2024-05', high: '2024-05', withLow: true, withHigh: true },
  { kind: 'range', field: 'at', low: null, high: 'last month', withLow: true, withHigh: true },
  { kind: 'text', field: null, match: 'contains', text: 'vertrag', openStart: true, openEnd: true },
  { kind: 'text', field: 'subject', match: 'exactly', text: 'Offer of May', openStart: false, openEnd: false },
);
/** Any query that can be written. */
export const anyQuery: fc.Arbitrary<Query> = fc.letrec<{ node: Query; group: Query }>((tie) => ({
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
