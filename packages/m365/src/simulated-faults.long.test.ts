import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUndisturbed, runWithSimulatedFaults, type GroundTruth } from '../testing/simulated-fault-run.ts';
import { startSimulatedTenant, type SimulatedTenant } from '../testing/simulated-tenant.ts';

const SLICE = 100;
const slices = Array.from({ length: 20 }, (_, index) => 10_001 + index * SLICE);

let tenant: SimulatedTenant;
let truth: GroundTruth;

beforeAll(async () => {
  tenant = await startSimulatedTenant({ recipes: ['tiny'] });
  truth = await readUndisturbed(tenant);
});
afterAll(async () => {
  await tenant.close();
});

describe('two thousand readings of a simulator that fails over TLS', () => {
  it.each(slices)('end whole or say what is missing, and are never early (100 from seed %i)', async (first) => {
    const totals = { stored: 0, listed: 0 };
    for (let seed = first; seed < first + SLICE; seed += 1) {
      const run = await runWithSimulatedFaults(tenant, truth, seed);
      expect(run.complaints, `seed ${seed}`).toEqual([]);
      totals.stored += run.stored;
      totals.listed += run.listed;
    }
    process.stdout.write(`seeds ${first} to ${first + SLICE - 1} over TLS: ${JSON.stringify(totals)} of ${SLICE * truth.items.size}\n`);
    expect(totals.stored).toBeGreaterThan(SLICE * truth.items.size * 0.8);
    expect(tenant.simulator.control.violations()).toMatchObject({ strayTokens: 0 });
  });
});
