import { expect, test } from 'vitest';
import { hashSentences, sentencesOf } from './sentences.ts';

const own = (text: string): string[] => sentencesOf(text).flatMap((one) => (one.isQuoted ? [] : [one.text]));
const quoted = (text: string): string[] => sentencesOf(text).flatMap((one) => (one.isQuoted ? [one.text] : []));

test('a sentence is the same however its lines were broken', () => {
  expect(own('We pay the invoice\nof March. Nobody\r\nobjects!')).toEqual(['We pay the invoice of March.', 'Nobody objects!']);
});

test('lines marked as quoted are the sentences that they were, however often', () => {
  expect(quoted('> We pay the invoice\n> of March.\n>> Really?\n> > Yes.')).toEqual(
    ['We pay the invoice of March.', 'Really? Yes.'].flatMap((one) => one.split(/(?<=\?) /u)),
  );
});

test('below the heading of Outlook everything is quoted, in English and German', () => {
  const german = 'Einverstanden.\n\nVon: Anna <anna@contoso.com>\nGesendet: 3. Mai 2024\nAn: Ben\nBetreff: Angebot\n\nWir zahlen.';
  expect(own(german)[0]).toBe('Einverstanden.');
  expect(quoted(german).at(-1)).toBe('Wir zahlen.');
  expect(quoted('Agreed.\n\n-----Original Message-----\nWe pay.')).toEqual(['We pay.']);
});

test('below "wrote:" without marks everything is quoted; above marks only what is marked', () => {
  const head = 'On Fri, 3 May 2024, Anna <anna@contoso.com>\nwrote:';
  expect(quoted(`Agreed.\n\n${head}\n\nWe pay.`)).toEqual(['We pay.']);
  expect(own(`${head}\n> We pay.\n\nAgreed.`).at(-1)).toBe('Agreed.');
});

test('a line of one’s own that ends in a colon quotes nothing', () => {
  expect(quoted('As of 3 May 2024 my answer is:\nYes.')).toEqual([]);
  expect(quoted('Time: 10:00\nPlace: Berlin\nYes.')).toEqual([]);
});

test('points of a list, characters of Chinese and a thumb are sentences; a row of dashes is none', () => {
  expect(own('- Bread\n- Milk')).toEqual(['- Bread', '- Milk']);
  expect(own('我同意。謝謝。')).toEqual(['我同意。', '謝謝。']);
  expect(own('👍\n\n-----')).toEqual(['👍']);
});

test('one character that was changed is another sentence', () => {
  expect(hashSentences('We pay 1,000.').all).not.toEqual(hashSentences('We pay 1.000.').all);
  expect(hashSentences('We pay\n1,000.').all).toEqual(hashSentences('>  We pay 1,000.').all);
});

test('a mail that says something else in HTML than as text says both; one that says the same says it once', () => {
  expect(hashSentences('We pay.', 'We\npay.').all).toEqual(hashSentences('We pay.').all);
  expect(hashSentences('We pay.', 'We do not pay.').all).toHaveLength(2 * hashSentences('We pay.').all.length);
});

const below = (text: string): string[] => sentencesOf(text).flatMap((one) => (one.isBelow ? [one.text] : []));

test('what stands below two dashes or a long row is a signature or a footer, until something is repeated', () => {
  expect(below('We pay.\n-- \nAnna Schmidt\nContoso')).toEqual(['Anna Schmidt Contoso']);
  expect(below(`We pay.\n\n${'_'.repeat(47)}\nOffers mailing list`)).toEqual(['Offers mailing list']);
  expect(below('-- \nAnna\n\n> We pay.\n\nReally?')).toEqual(['Anna']);
  expect(below('We pay.\n--- \nAnna\n> -- \n> Ben\n- Bread')).toEqual([]);
  expect(quoted('> We pay.\n> -- \n> Anna')).toEqual(['We pay.', 'Anna']);
});
