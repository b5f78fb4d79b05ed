import { readFileSync } from 'node:fs';
import type { Database, TaskQueue, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import { createGraphClient, type BudgetPort, type GraphCredential } from '@holdfast/m365';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Choices } from '../identity/index.ts';
import { mountAppSetups } from './setups/app-setups.routes.ts';
import { createAppSetupsService } from './setups/app-setups.service.ts';
import { createTenantGraphService, type GraphFor, type TenantGraphService } from './tenant-graph.service.ts';
import { mountTenants } from './tenants.routes.ts';
import { createTenantsService, type TenantsService } from './tenants.service.ts';

export interface TenantsPorts {
  readonly config: Pick<Config, 'HOLDFAST_GRAPH_CA_FILE' | 'HOLDFAST_LOGIN_URL' | 'HOLDFAST_GRAPH_URL'>;
  readonly version: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly queue: TaskQueue;
  readonly choices: Choices;
  /** How much of Microsoft 365 may be asked. */
  readonly budgets: BudgetPort;
  /** Legal holds on anything of a tenant: it is not removed then. */
  heldBy(tx: Tx, tenantId: string): Promise<readonly string[]>;
  /** Retention policies that keep something of it, in the same way. */
  keptIn(tx: Tx, tenantId: string): Promise<readonly string[]>;
}

export interface TenantsFeature extends Feature {
  readonly tenants: TenantsService;
  /** Microsoft 365 of a tenant. */
  readonly graph: TenantGraphService;
}

/** Microsoft's addresses come from the settings alone. */
function graphFactory(ports: TenantsPorts): GraphFor {
  const { config, version } = ports;
  const caFile = config.HOLDFAST_GRAPH_CA_FILE;
  const ca = caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') };
  const endpoints = { loginUrl: config.HOLDFAST_LOGIN_URL, graphUrl: config.HOLDFAST_GRAPH_URL, ...ca };
  const { budgets, clock, random, ids, logger } = ports;
  return (tenantId: string, credential: GraphCredential) =>
    createGraphClient({ tenantId, credential, endpoints, budgets, clock, random, ids, logger, userAgentVersion: version });
}

export function createTenantsFeature(ports: TenantsPorts): TenantsFeature {
  const graph = createTenantGraphService({ ...ports, graphFor: graphFactory(ports) });
  const { HOLDFAST_GRAPH_URL: graphUrl, HOLDFAST_LOGIN_URL: loginUrl } = ports.config;
  const { chosen } = ports.choices;
  const setups = createAppSetupsService({ ...ports, graph, graphUrl, loginUrl, chosen });
  const tenants = createTenantsService({ ...ports, graph, setups, chosen });
  return Object.freeze<TenantsFeature>({
    tenants,
    graph,
    mount: (app) =>
      inEachRealm((realm) => {
        mountTenants(app, tenants, realm);
        mountAppSetups(app, setups, realm);
      }),
    close: () => graph.close(),
  });
}
