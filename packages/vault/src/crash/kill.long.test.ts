import { describe, it } from 'vitest';
import { killRandomly } from '../../testing/kill-rounds.ts';

describe('a writing process that is killed', () => {
  it.each([11, 12, 13, 14, 15])('has lost, torn or doubled nothing after any of 100 kills at random moments (seed %i)', (seed) =>
    killRandomly(100, seed),
  );
});
