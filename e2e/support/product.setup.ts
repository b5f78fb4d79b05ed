import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { setUpDemo } from '../../tools/demo.ts';
import { startProduct } from '../../tools/product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the product of this run answers. */
    productAddress: string;
    /** The simulator's ground truth and administration. */
    simulatorAdmin: string;
    simulatedTenantId: string;
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
    environment: { HOLDFAST_LOG_LEVEL: 'info' },
  });
  const tenant = product.simulator?.tenants[0];
  if (!tenant || !product.simulator) throw new Error('The simulator has no tenant.');
  await setUpDemo(product.address, tenant, path.join(dataDir, 'vaults'));
  project.provide('productAddress', product.address);
  project.provide('simulatorAdmin', product.simulator.admin);
  project.provide('simulatedTenantId', tenant.tenantId);
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
