import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPortal } from '../../tools/build-portal.ts';
import { demoOwner, setUpDemo } from '../../tools/demo.ts';
import { startProduct as startProcesses } from '../../tools/product.ts';

/** The whole product as `npm start` makes it, on data of its own: server, PostgreSQL, vault, simulator. */
export interface Product {
  readonly address: string;
  readonly email: string;
  readonly password: string;
  /** The simulator's ground truth and administration, and the tenant it is asked about. */
  readonly simulator: { readonly admin: string; readonly tenantId: string };
  /** Everything the server has printed so far. */
  readonly output: () => string;
  /** Ends the server and starts it again over the same data, at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the product with its demo organisation; `stop` ends every process and removes the data. */
export async function startProduct(): Promise<Product> {
  await buildPortal();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-e2e-'));
  const printed: string[] = [];
  const processes = await startProcesses({
    dataDir,
    port: '0',
    withSimulator: true,
    onOutput: (line) => printed.push(line),
  });
  const { address, simulator, restart } = processes;
  const tenant = simulator?.tenants[0];
  if (!simulator || !tenant) throw new Error('The simulator has no tenant.');
  await setUpDemo(address, tenant, path.join(dataDir, 'vaults'));
  return {
    address,
    ...demoOwner,
    simulator: { admin: simulator.admin, tenantId: tenant.tenantId },
    output: () => printed.join('\n'),
    restart,
    async stop() {
      await processes.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
