import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordDifferences } from './word-differences.ts';

test('a changed word is found in its sentence', async () => {
  expect(await wordDifferences('The rent is 900 euros a month.', 'The rent is 950 euros a month.')).toEqual([
    { change: 'same', text: 'The rent is ' },
    { change: 'removed', text: '900' },
    { change: 'added', text: '950' },
    { change: 'same', text: ' euros a month.' },
  ]);
});

const words = fc.array(fc.constantFrom('rent', 'Miete', '900', ' ', '\n', '–', 'ä', '😀'), { maxLength: 60 }).map((some) => some.join(' '));

test('both texts come out of the parts again, to the letter', async () => {
  await fc.assert(
    fc.asyncProperty(words, words, async (older, newer) => {
      const parts = await wordDifferences(older, newer);
      const without = (change: string): string => parts.map((part) => (part.change === change ? '' : part.text)).join('');
      expect([without('added'), without('removed')]).toEqual([older, newer]);
    }),
  );
});

test('texts with nothing in common are answered as well', async () => {
  const text = (name: string): string => Array.from({ length: 9_000 }, (_, index) => `${name}${index}`).join(' \n');
  const [older, newer] = [text('a'), text('b')];
  const parts = await wordDifferences(older, newer);
  expect(
    parts
      .filter((part) => part.change !== 'added')
      .map((part) => part.text)
      .join(''),
  ).toBe(older);
  expect(
    parts
      .filter((part) => part.change !== 'removed')
      .map((part) => part.text)
      .join(''),
  ).toBe(newer);
});
