import { testDatabase } from '@holdfast/database/testing/test-database';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedServer } from '../../testing/simulated-server.ts';
import { connectSimulated, everyone } from '../../testing/simulated-tenant.ts';
import { expectTruth } from './testing/expect-truth.ts';
import { scanTenant } from './testing/scan-tenant.ts';

/** Days of work between two backups. */
const DAYS = 5;
const testing = testDatabase(import.meta.url);

const tenants = Array.from({ length: 10 }, (_, index) => ({ recipe: 'tiny', seed: 1 + index }));

test.each(tenants)(
  'every figure of every report is that of the tenant $recipe with seed $seed, at first and after days of work',
  async (given) => {
    const running = await startSimulatedServer(testing, {}, given);
    onTestFinished(() => running.close());
    const { server, simulator } = running;
    const vault = path.join(running.folder, 'vault');
    const tenant = await connectSimulated({ server, owner: await server.owner(), simulator, testing, vault });
    const jobs: string[] = [];
    for (const workload of ['onedrive', 'sharepoint'])
      jobs.push(await tenant.job({ name: `All ${workload}`, type: 'backup', workload, source: everyone }));
    for (const days of [0, DAYS]) {
      const [microsoftTenantId = ''] = simulator.simulation.tenants.keys();
      for (let day = 0; day < days; day += 1) simulator.control.playDay(microsoftTenantId, day);
      for (const jobId of jobs) await tenant.ended(await tenant.start(jobId), 400_000);
      await scanTenant(tenant);
      const { files } = await expectTruth(tenant, simulator);
      expect(files.length).toBeGreaterThan(0);
    }
  },
  1_200_000,
);
