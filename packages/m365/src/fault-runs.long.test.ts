import { describe, expect, it } from 'vitest';
import { runWithFaults } from '../testing/fault-run.ts';

describe('twenty thousand backups over a service that fails at random', () => {
  it('end complete or say what is missing, and send nothing before they may', async () => {
    for (let seed = 10_001; seed <= 30_000; seed += 1) {
      const run = await runWithFaults(seed);
      expect(run.complaints, `seed ${seed}`).toEqual([]);
    }
  });
});
