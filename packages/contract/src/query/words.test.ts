import { expect, test } from 'vitest';
import { spellingsOf, wordsOf } from './words.ts';

test.each([
  ['Müller, MUELLER und Muller', ['muller', 'mueller', 'und', 'muller']],
  ['Straße STRASSE', ['strasse', 'strasse']],
  ['12-345/67 foo_bar a@b.com', ['12', '345', '67', 'foo', 'bar', 'a', 'b', 'com']],
  ['ﬁnance №5', ['finance', 'no5']],
  ['東京都 A社', ['東京', '京都', 'a', '社']],
  ['Ångström naïve Łódź', ['angstrom', 'naive', 'lodz']],
  ['', []],
  ['… – !', []],
])('the words of %s', (text, words) => {
  expect([...wordsOf(text)]).toEqual(words);
});

test('a word with umlauts is looked for in both spellings', () => {
  expect(spellingsOf('Müller')).toEqual(['Müller', 'Mueller']);
  expect(spellingsOf('offer')).toEqual(['offer']);
});
