import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaultyTenant, type FaultyRun } from './faulty-run.ts';

/** As many as the engine itself reads. */
const READS_AT_A_TIME = 16;

/** Plays `count` seeds and expects that none of them loses, doubles or hides anything. */
export function proveSeeds(from: number, count: number, timeoutMs: number): void {
  describe(`${count} seeds of faults from ${from} on`, () => {
    let tenant: Awaited<ReturnType<typeof createFaultyTenant>>;
    beforeAll(async () => {
      tenant = await createFaultyTenant();
    });
    afterAll(() => tenant.close());

    it(
      'end complete or with an exact list, and heal with the next clean run',
      async () => {
        const broken: FaultyRun[] = [];
        for (let seed = from; seed < from + count; seed += 1) {
          const run = await tenant.play(seed, READS_AT_A_TIME);
          if (run.violations.length > 0) broken.push(run);
        }
        expect(broken).toEqual([]);
      },
      timeoutMs,
    );
  });
}
