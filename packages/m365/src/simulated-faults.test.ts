import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUndisturbed, runWithSimulatedFaults, type GroundTruth } from '../testing/simulated-fault-run.ts';
import { startSimulatedTenant, type SimulatedTenant } from '../testing/simulated-tenant.ts';

const SEEDS = 10;

let tenant: SimulatedTenant;
let truth: GroundTruth;

beforeAll(async () => {
  tenant = await startSimulatedTenant({ recipes: ['tiny'] });
  truth = await readUndisturbed(tenant);
});
afterAll(async () => {
  await tenant.close();
});

describe('reading a simulator that fails over TLS', () => {
  it('ends whole or says what is missing, and is never early', { timeout: 240_000 }, async () => {
    expect(truth.items.size).toBeGreaterThan(10);
    let stored = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const run = await runWithSimulatedFaults(tenant, truth, seed);
      expect(run.complaints, `seed ${seed}`).toEqual([]);
      stored += run.stored;
    }
    expect(stored).toBeGreaterThan(SEEDS * truth.items.size * 0.8);
    expect(tenant.simulator.control.violations()).toMatchObject({ strayTokens: 0 });
  });
});
