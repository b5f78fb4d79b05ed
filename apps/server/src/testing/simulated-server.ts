import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import type { MasterKey } from '../keys/master-key.ts';
import { testServer, type TestServer } from './test-server.ts';

/** A server that works, a Microsoft 365 that it asks, and a folder that locations may be in. */
export interface SimulatedServer {
  readonly simulator: Simulator;
  readonly server: TestServer;
  readonly folder: string;
  close(): Promise<void>;
}

export async function startSimulatedServer(
  testing: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
  tenant: { readonly recipe: string; readonly seed?: number } = { recipe: 'tiny' },
  /** For tests whose console opens the same vaults. */
  { masterKey }: { readonly masterKey?: MasterKey } = {},
): Promise<SimulatedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-simulated-'));
  const simulator = await startSimulator({
    recipes: [tenant.recipe],
    limits: 'off',
    ...(tenant.seed === undefined ? {} : { seed: tenant.seed }),
  });
  const server = await testServer(testing, {
    roles: ['api', 'worker'],
    ...(masterKey === undefined ? {} : { masterKey }),
    settings: {
      HOLDFAST_GRAPH_URL: simulator.graph,
      HOLDFAST_LOGIN_URL: simulator.login,
      HOLDFAST_GRAPH_CA_FILE: simulator.ca,
      HOLDFAST_LOCATION_ROOTS: folder,
      ...settings,
    },
  });
  return {
    simulator,
    server,
    folder,
    async close() {
      await server.close();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
