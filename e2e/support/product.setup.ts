import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { setUpDemo, type SimulatedTenant } from '../../tools/demo.ts';
import { startProduct } from '../../tools/product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the product of this run answers. */
    productAddress: string;
    /** The simulator's ground truth and administration. */
    simulatorAdmin: string;
    simulatedTenantId: string;
    /** With what an app signs in to it. */
    simulatedAccess: SimulatedTenant;
    /** Where folders may be locations. */
    vaultsFolder: string;
  }
}

/** Every answer that the journeys caused was held against the metadata. */
async function requireValidAnswers(admin: string): Promise<void> {
  const { checked, csdl } = (await (await fetch(`${admin}/violations`)).json()) as { checked: number; csdl: unknown[] };
  process.stdout.write(`simulator (e2e): ${checked} answers checked against the metadata, ${csdl.length} invalid\n`);
  if (csdl.length > 0) throw new Error(`Answers contradict the metadata: ${JSON.stringify(csdl.slice(0, 20), null, 1)}`);
}

/** Starts the whole product once for all journeys: server, PostgreSQL, vault and simulator, with Contoso set up. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-e2e-'));
  const product = await startProduct({
    dataDir,
    port: '0',
    withSimulator: true,
    isValidating: true,
    onOutput: () => undefined,
    // Journeys try a bucket where nothing listens.
    environment: { HOLDFAST_LOG_LEVEL: 'info', HOLDFAST_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant || !product.simulator) throw new Error('The simulator has no tenant.');
  const vaults = path.join(dataDir, 'vaults');
  await setUpDemo(product.address, tenant, vaults);
  project.provide('productAddress', product.address);
  project.provide('simulatorAdmin', product.simulator.admin);
  project.provide('simulatedTenantId', tenant.tenantId);
  project.provide('simulatedAccess', tenant);
  project.provide('vaultsFolder', vaults);
  const { admin } = product.simulator;
  return async () => {
    try {
      await requireValidAnswers(admin);
    } finally {
      await product.stop();
    }
    await rm(dataDir, { recursive: true, force: true });
  };
}
