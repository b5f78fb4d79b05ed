import { expect, test } from 'vitest';
import { checkHistories } from './testing/random-histories.ts';

test('what maximums, minimums and holds do to a message is what a slow calendar says, over 3,000 random histories and zones', () => {
  const { due, kept, early } = checkHistories(3_000);
  // Each of the answers was asked for many times.
  expect(Math.min(due, kept, early)).toBeGreaterThan(300);
}, 60_000);
