import { expect, test } from 'vitest';
import { likeness, nearCopies, shinglesOf } from './near-copies.ts';
import { judgeNearCopies } from './testing/near-texts.ts';

test('near copies are those that comparing every text with every other finds: recall 0.95 and precision 0.98 at 0.8', () => {
  const { recall, precision, pairs } = judgeNearCopies(1000, 0.8);
  expect(pairs).toBeGreaterThan(200);
  expect(recall).toBeGreaterThanOrEqual(0.95);
  expect(precision).toBeGreaterThanOrEqual(0.98);
});

test('a text belongs to the pivot that is most like it, and more texts change nothing for those before them', () => {
  const base = Array.from({ length: 60 }, (_, at) => `word${at}`);
  const texts = [base, base.with(3, 'other'), base.with(50, 'else'), base.map((word) => `un${word}`)].map((words) =>
    shinglesOf(words.join(' ')),
  );
  const found = nearCopies(texts, 0.8);
  expect(found.map(({ pivot }) => pivot)).toEqual([0, 0, 0, 3]);
  expect(nearCopies([...texts, shinglesOf(base.join(' '))], 0.8).slice(0, 4)).toEqual(found);
});

test('likeness is what two texts have in common over what either has', () => {
  expect(likeness(shinglesOf('a b c d'), shinglesOf('a b c d'))).toBe(1);
  expect(likeness(shinglesOf('a b c d'), shinglesOf('b c d e'))).toBeCloseTo(1 / 3);
  expect(likeness(shinglesOf('a b c'), shinglesOf('x y z'))).toBe(0);
  expect(likeness(shinglesOf(''), shinglesOf(''))).toBe(0);
});

test('upper case, punctuation and line breaks make no difference; a word does', () => {
  expect(shinglesOf('We PAY,\nthe invoice')).toEqual(shinglesOf('we pay the invoice'));
  expect(shinglesOf('we pay no invoice')).not.toEqual(shinglesOf('we pay the invoice'));
});

test('of texts that are longer than what is compared, the likeness is told all the same', () => {
  const words = Array.from({ length: 30_000 }, (_, at) => `word${at}`);
  const changed = words.map((word, at) => (at % 30 === 0 ? `un${word}` : word));
  expect(likeness(shinglesOf(words.join(' ')), shinglesOf(changed.join(' ')))).toBeCloseTo(27 / 33, 1);
});
