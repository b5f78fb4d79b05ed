import type { ManagedSite } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone } from '../../testing/simulated-tenant.ts';
import { cleanUp, runScript } from './testing/clean-up.ts';
import { expectTruth } from './testing/expect-truth.ts';
import { trueContents, type TrueFile } from './testing/true-files.ts';
import { scanTenant } from './testing/scan-tenant.ts';

/** Days of work between two backups. */
const DAYS = 5;
const testing = testDatabase(import.meta.url);

/** Depending on the tenant, the owners of its only group leave, have their accounts blocked, or stay. */
function loseOwners(simulator: Simulator, seed: number): void {
  const [group] =
    simulator.simulation.tenants
      .values()
      .next()
      .value?.directory.groups()
      .filter(({ kind }) => kind === 'unified') ?? [];
  if (!group) throw new Error('The tenant has no group.');
  if (seed % 3 === 0) act(simulator, 'directory.changeOwners', { group: group.id, owners: [] });
  if (seed % 3 === 1) for (const user of group.ownerIds) act(simulator, 'directory.changeUser', { user, accountEnabled: false });
}

const tenants = Array.from({ length: 10 }, (_, index) => ({ recipe: 'tiny', seed: 1 + index }));

test.each(tenants)(
  'every figure of every report is that of the tenant $recipe with seed $seed: at first, after days of work, under a hold and after a clean-up',
  async (given) => {
    const running = await startSimulatedServer(testing, {}, given);
    onTestFinished(() => running.close());
    const { server, simulator } = running;
    const owner = await server.owner();
    const tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(running.folder, 'vault') });
    const jobs: string[] = [];
    for (const workload of ['onedrive', 'sharepoint'])
      jobs.push(await tenant.job({ name: `All ${workload}`, type: 'backup', workload, source: everyone }));
    const seen = new Set<string>();
    const held = new Set<string>();
    const look = async (days: number): Promise<readonly TrueFile[]> => {
      const [microsoftTenantId = ''] = simulator.simulation.tenants.keys();
      for (let day = 0; day < days; day += 1) simulator.control.playDay(microsoftTenantId, day);
      for (const jobId of jobs) await tenant.ended(await tenant.start(jobId), 400_000);
      await scanTenant(tenant);
      const truth = await expectTruth(tenant, simulator, { held, seen });
      for (const file of truth.files) seen.add(file.id);
      return truth.files;
    };
    expect((await look(0)).length).toBeGreaterThan(0);
    const { items } = await tenant.call<Page<ManagedSite>>(`${tenant.tenantId}/data-management/sites?sort=-versionBytes&limit=1`);
    const [worst] = items;
    await tenant.call(`${tenant.tenantId}/holds`, { name: 'Lawsuit', reason: 'Case 1', resourceId: worst?.siteId });
    held.add(worst?.url ?? '');
    loseOwners(simulator, given.seed);
    const before = await look(DAYS);
    const { plan, script } = await cleanUp({ tenant, server, token: owner.tokens.main }, { newest: 1, days: 36_500 });
    expect(plan?.status).toBe('successful');
    const doomed = runScript(simulator, await script.text());
    const heldDrives = new Set(before.filter((file) => held.has(file.site)).map((file) => file.drive));
    expect(doomed.filter(({ drive }) => heldDrives.has(drive))).toEqual([]);
    const { files: after } = await trueContents(simulator);
    const earlier = (files: readonly TrueFile[]): number =>
      files.flatMap((file) => file.earlier).reduce((sum, one) => sum + one.sizeBytes, 0);
    expect(earlier(before) - earlier(after)).toBe(plan?.bytes);
    await look(0);
  },
  1_200_000,
);
