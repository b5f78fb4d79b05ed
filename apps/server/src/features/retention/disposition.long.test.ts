import { expect, test } from 'vitest';
import { checkHistories } from './testing/random-histories.ts';

test('the disposition of messages is that of a slow calendar over 100,000 random histories', () => {
  const { due, kept, early } = checkHistories(100_000);
  expect(Math.min(due, kept, early)).toBeGreaterThan(10_000);
}, 900_000);
