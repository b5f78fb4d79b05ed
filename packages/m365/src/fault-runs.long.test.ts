import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWithFaults } from '../testing/fault-run.ts';

const SLICE = 2_000;
const slices = Array.from({ length: 10 }, (_, index) => 10_001 + index * SLICE);
const unhandled: unknown[] = [];
const note = (reason: unknown): void => {
  unhandled.push(reason);
};

beforeAll(() => {
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
});

describe('twenty thousand backups over a service that fails at random', () => {
  it.each(slices)('end complete or say what is missing, and send nothing before they may (2,000 from seed %i)', async (first) => {
    const totals = { requests: 0, stored: 0, listed: 0 };
    for (let seed = first; seed < first + SLICE; seed += 1) {
      const run = await runWithFaults(seed);
      expect(run.complaints, `seed ${seed}`).toEqual([]);
      totals.requests += run.requests;
      totals.stored += run.stored;
      totals.listed += run.listed;
    }
    process.stdout.write(`seeds ${first} to ${first + SLICE - 1}: ${JSON.stringify(totals)}\n`);
    expect(unhandled).toEqual([]);
    expect(totals.stored).toBeGreaterThan(10 * SLICE);
  });
});
