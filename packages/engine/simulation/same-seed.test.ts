import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaultyTenant, type FaultyRun } from '../testing/faulty-run.ts';
import { SUBJECTS } from '../testing/faulty-subjects.ts';

const SEEDS = SUBJECTS.map((_subject, at) => 50_000 + at);

/** What a failing seed prints is worth something only when it fails again. Of several requests under way the order is nobody's. */
describe('a seed of faults', () => {
  let tenant: Awaited<ReturnType<typeof createFaultyTenant>>;
  beforeAll(async () => {
    tenant = await createFaultyTenant();
  });
  afterAll(() => tenant.close());

  it('makes the same run again: every request, answer, count and problem in the same order', async () => {
    const played = async (): Promise<FaultyRun[]> => {
      const runs: FaultyRun[] = [];
      for (const seed of SEEDS) runs.push(await tenant.play(seed, 1));
      return runs;
    };
    const first = await played();
    expect(await played()).toEqual(first);
    expect(new Set(first.map((run) => run.trace)).size).toBe(SEEDS.length);
  });
});
