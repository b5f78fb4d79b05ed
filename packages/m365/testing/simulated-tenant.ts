import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { startSimulator, type Simulator, type SimulatorOptions, type TenantAccess } from '@holdfast/m365-simulator';
import { createGraphClient } from '../src/create-graph-client.ts';
import { createMemoryBudgets } from '../src/client/budget/memory-budgets.ts';
import type { GraphClient, GraphClientOptions } from '../src/graph-client.ts';

/** A running simulator whose time passes fast, and a client on the same time. */
export interface SimulatedTenant {
  readonly simulator: Simulator;
  readonly access: TenantAccess;
  readonly client: GraphClient;
  readonly options: GraphClientOptions;
  close(): Promise<void>;
}

/** Virtual milliseconds that pass in each real one: minutes of Retry-After are over in a second or two. */
const SPEED = 40;
const TICK_MS = 2;

export async function startSimulatedTenant(settings: SimulatorOptions & { readonly seed?: number } = {}): Promise<SimulatedTenant> {
  const simulator = await startSimulator({ recipes: ['tiny'], clock: 'virtual', ...settings });
  const driver = setInterval(() => simulator.clock.advance(SPEED * TICK_MS), TICK_MS);
  const [access] = simulator.tenants;
  if (!access) throw new Error('the simulator has no tenant');
  const clock = simulator.clock;
  const random = createSeededRandom(settings.seed ?? 1);
  const ids = createIds(clock, random);
  const options: GraphClientOptions = {
    tenantId: access.tenantId,
    credential: { kind: 'secret', clientId: access.clientId, clientSecret: new Secret(access.clientSecret) },
    endpoints: { loginUrl: simulator.login, graphUrl: simulator.graph, ca: simulator.caPem },
    budgets: createMemoryBudgets({ clock, ids }),
    clock,
    random,
    ids,
    logger: silentLogger,
    userAgentVersion: '0.1.0',
  };
  const client = createGraphClient(options);
  return {
    simulator,
    access,
    client,
    options,
    async close() {
      clearInterval(driver);
      await client.close();
      await simulator.close();
    },
  };
}
