import { printQuery } from '@holdfast/contract/query/print';
import { expect, test } from 'vitest';
import { mentionsOf } from './mentions.ts';

const read = (name: string, address: string): string | undefined => {
  const query = mentionsOf({ name, address });
  return query && printQuery(query);
};

test('somebody is mentioned as sender, as recipient, or by name', () => {
  expect(read('Adele Vance', 'adele@contoso.example')).toBe(
    'from:adele@contoso.example OR recipients:adele@contoso.example OR "Adele Vance"',
  );
});

test('a name with quotation marks or without a word leaves no query that cannot be read', () => {
  expect(read('Ann "Nana" Lee', '')).toBe('"Ann Nana Lee"');
  expect(read('***', 'a@contoso.example')).toBe('from:a@contoso.example OR recipients:a@contoso.example');
  expect(read('', '')).toBeUndefined();
});
