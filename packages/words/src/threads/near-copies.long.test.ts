import { expect, test } from 'vitest';
import { judgeNearCopies } from './testing/near-texts.ts';

test('near copies of 20,000 texts are those that comparing every text with every other finds', () => {
  const { recall, precision, pairs } = judgeNearCopies(20_000, 0.8);
  expect(pairs).toBeGreaterThan(5000);
  expect(recall).toBeGreaterThanOrEqual(0.95);
  expect(precision).toBeGreaterThanOrEqual(0.98);
});
