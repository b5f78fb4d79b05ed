import { describe, expect, it } from 'vitest';
import { readUndisturbed, runWithSimulatedFaults } from '../testing/simulated-fault-run.ts';
import { startSimulatedTenant } from '../testing/simulated-tenant.ts';

describe('two thousand readings of a simulator that fails over TLS', () => {
  it('end whole or say what is missing, and are never early', async () => {
    const tenant = await startSimulatedTenant({ recipes: ['tiny'] });
    try {
      const truth = await readUndisturbed(tenant);
      for (let seed = 10_001; seed <= 12_000; seed += 1) {
        const run = await runWithSimulatedFaults(tenant, truth, seed);
        expect(run.complaints, `seed ${seed}`).toEqual([]);
      }
      expect(tenant.simulator.control.violations()).toMatchObject({ strayTokens: 0 });
    } finally {
      await tenant.close();
    }
  });
});
