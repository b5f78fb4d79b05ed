import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './parse.ts';
import { queryLimits } from './state.ts';
import { printQuery } from './print.ts';
import { anyQuery } from './testing/any-query.ts';

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
  ['messageid:<a1@contoso.com> inreplyto:"<b2@contoso.com>"', 'messageid:a1@contoso.com AND inreplyto:b2@contoso.com'],
  ['attachmenthash:9F86D081 id:AAMk= conversation:"AAQk 1"', 'attachmenthash:9f86d081 AND id:"AAMk=" AND conversation:"AAQk 1"'],
  ['path:"Inbox/Offers (new)" folderid=AAMk', 'path:"Inbox/Offers (new)" AND folderid=AAMk'],
  ['header.List-ID:news header.x-mailer="Outlook 16"', 'header.list-id:news AND header.x-mailer="Outlook 16"'],
  ['envelope:anna envelope:""', 'envelope:anna AND envelope:""'],
  ['ITEMCLASS:IPM.Note version:3.0 language:DE', 'itemclass:ipm.note AND version:3.0 AND language:de'],
  ['sensitive:SocialInsurance', 'sensitive:socialsecurity'],
  ['link:https://contoso.com/a?b hold:true', 'link:"https://contoso.com/a?b" AND hold:true'],
  ['case:"Falcon" tag=urgent note:call policy:Letters*', 'case:Falcon AND tag=urgent AND note:call AND policy:Letters*'],
  ['matchedin:body offer', 'body:offer'],
  ['"change of" matchedin:subject from:anna', 'subject:"change of" AND from:anna'],
  ['matchedin:subject matchedin:body offer', 'subject:offer OR body:offer'],
  ['matchedin:(subject OR attachment) (a NOT *vert*)', '(subject:a OR attachment:a) AND NOT (subject:*vert* OR attachment:*vert*)'],
  ['matchedin:attachmenttext (a NEAR(3) (b OR c))', 'attachmenttext:(a NEAR(3) (b OR c))'],
  ['(matchedin:body offer) OR x', 'body:offer OR x'],
  [
    'sent:"last month" archived>=2024 ISREAD:False importance:HIGH',
    'sent:"last month" AND archived>=2024 AND isread:false AND importance:high',
  ],
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
  ['importance:important', ['bad-choice']],
  ['signed:yes', ['bad-choice']],
  ['sent:31.02.2024', ['bad-date']],
  ['messageid:""', ['missing-value']],
  // What the index does not know is refused, and never searched for as something else.
  ['confidential:true', ['unknown-field']],
  ['header.subject:news', ['unknown-field']],
  ['itemclass:IPM.Custom', ['bad-choice']],
  ['language:german', ['bad-choice']],
  ['hold>true', ['wrong-comparison']],
  ['case:""', ['missing-value']],
  ['case:(a NEAR b)', ['near-operand']],
  ['matchedin:page offer', ['bad-choice']],
  ['matchedin:body', ['no-words-beside']],
  ['matchedin:body subject:offer', ['no-words-beside']],
  ['matchedin:body OR offer', ['no-words-beside']],
  ['NOT matchedin:body offer', ['no-words-beside']],
  ['matchedin:body AND matchedin:subject AND offer', ['no-words-beside']],
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
  ['mailbox:(a NEAR b)', ['near-operand']],
  ['invoice.seller:(a NEAR b)', ['near-operand']],
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

test('no value at all can be asked of people, subjects and attachments, and of nothing that never says so', () => {
  for (const field of ['from', 'recipients', 'subject', 'attachment']) expect(faultsOf(`${field}:""`)).toEqual([]);
  for (const field of ['body', 'attachmenttext', 'size', 'received', 'mailbox', 'kind'])
    expect(faultsOf(`${field}:""`)).toEqual(['missing-value']);
});

test('A12: a group with NEAR that spans more words than a slice repeats is refused, and the longest that does not is read', () => {
  const phraseOf = (count: number): string => `"${'word '.repeat(count)}"`;
  expect(faultsOf(`${phraseOf(50)} NEAR(20) ${phraseOf(50)}`)).toEqual([]);
  expect(faultsOf(`${phraseOf(50)} NEAR(21) ${phraseOf(50)}`)).toEqual(['too-complex']);
  expect(faultsOf(`(a OR ${phraseOf(110)}) ONEAR(10) b`)).toEqual(['too-complex']);
});

test('A11: what is printed parses to the same tree', () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
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
