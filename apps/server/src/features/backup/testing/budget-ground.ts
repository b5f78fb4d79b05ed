import { readFileSync } from 'node:fs';
import { openDatabase, type Database } from '@holdfast/database';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { type BudgetPort, createGraphClient, type GraphClient } from '@holdfast/m365';
import { testIds } from '../../../testing/rows.ts';

/** What a worker of its own process is told. */
export interface WorkerGround {
  readonly databaseUrl: string;
  readonly graph: string;
  readonly login: string;
  /** File with the authority of the simulator. */
  readonly ca: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A database as a process that has just started opens it. */
export function openAnew({ databaseUrl }: WorkerGround): Database {
  return openDatabase({ url: databaseUrl, role: 'holdfast_application', poolSize: 8, logger: silentLogger });
}

export function clientOver(ground: WorkerGround, budgets: BudgetPort): GraphClient {
  return createGraphClient({
    tenantId: ground.tenantId,
    credential: { kind: 'secret', clientId: ground.clientId, clientSecret: new Secret(ground.clientSecret) },
    endpoints: { loginUrl: ground.login, graphUrl: ground.graph, ca: readFileSync(ground.ca, 'utf8') },
    budgets,
    clock: systemClock,
    random: secureRandom,
    ids: testIds,
    logger: silentLogger,
    userAgentVersion: '0.0.0',
  });
}
