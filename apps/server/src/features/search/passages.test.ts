import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { ItemWords } from '@holdfast/engine';
import { expect, test } from 'vitest';
import { passagesOf } from './passages.ts';

const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], at: null, state: 'indexed' as const };
const filler = Array.from({ length: 200 }, (_, at) => `filler${at}`).join(' ');

function anItem(given: Partial<ItemWords>): ItemWords {
  return { ...nobody, title: 'Offer', text: '', attachmentTexts: [], ...given };
}

function asked(text: string): Query {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`${text} is no query`);
  return query;
}

test('a passage names the attachment and the page that its words are on', () => {
  const text = `first page\fsecond page\f${filler} the price is 42 ${filler}\f`;
  const words = anItem({ attachmentTexts: [{ name: 'Offers.zip/Offer.pdf', text }] });
  const [found, ...others] = passagesOf(words, asked('"price is 42"'));
  expect(found).toMatchObject({ part: 'attachment', name: 'Offers.zip/Offer.pdf', page: 3 });
  expect(found?.text).toMatch(/^… .*the price is 42 .* …$/);
  expect(others).toEqual([]);
});

test('a text without pages tells none, and short texts are shown as they are', () => {
  const words = anItem({ text: 'The price\n is 42.' });
  expect(passagesOf(words, asked('price'))).toEqual([{ part: 'text', name: null, page: null, text: 'The price is 42.' }]);
});

test('the passage with the most of the words is shown, and of an item the parts with the most of them first', () => {
  const text = `a contract ${filler} the contract of Fabrikam about sand ${filler} sand`;
  const words = anItem({ text: 'sand', attachmentTexts: [{ name: 'A.docx', text }], from: ['Fabrikam <a@fabrikam.com>'] });
  const found = passagesOf(words, asked('contract fabrikam sand'));
  expect(found.map(({ part }) => part)).toEqual(['attachment', 'text', 'people']);
  expect(found[0]?.text).toContain('the contract of Fabrikam about sand');
});

test('what the query must not find and other fields yield no passage', () => {
  const words = anItem({ text: 'offer and price' });
  expect(passagesOf(words, asked('kind:email NOT price'))).toEqual([]);
  expect(passagesOf(words, asked('attachmenttext:offer'))).toEqual([]);
});
