import { describe, it } from 'vitest';
import { killRandomly } from '../../testing/kill-rounds.ts';

describe('a writing process that is killed', () => {
  it('has lost, torn or doubled nothing after any of 100 kills at random moments', async () => {
    await Promise.all([killRandomly(50, 1), killRandomly(50, 2)]);
  }, 600_000);
});
