import { expect, test } from 'vitest';
import { languageOf } from './language-of.ts';

test('the language of a text is told by its words, and of too few words not at all', () => {
  expect(languageOf('Please find attached our offer for the office chairs and the tables')).toBe('en');
  expect(languageOf('Anbei finden Sie unser Angebot für die Bürostühle und die Tische')).toBe('de');
  for (const text of ['', 'ok', '12 34 56', 'https://', '\uD83D\uDE00']) expect(languageOf(text)).toBeNull();
});
