import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { repeatInScopes } from '../../platform/repeat-in-scopes.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import { createDirectoryParties } from './directory-parties.ts';
import { createExemptionsService } from './exemptions.service.ts';
import { mountProxyRights } from './proxy-rights.routes.ts';
import { createProxyRightsService, type ProxyRightsParts } from './proxy-rights.service.ts';
import { createProxyRightsStore } from './proxy-rights.store.ts';

/** What proxy rights need of the rest. */
export interface ProxyRightsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly graph: TenantGraph;
  readonly approvals: ProxyRightsParts['approvals'];
  scopes(): Promise<readonly Scope[]>;
}

export interface ProxyRightsFeature extends Feature {
  /** Reads again from the directory who the accounts and groups of rights are. */
  synchronise(scope: Scope): Promise<void>;
}

/** Whoever leaves a group keeps its rights for this long at most, as long as the directory can be read. */
const SYNCHRONISE_MS = 15 * 60_000;

export function createProxyRightsFeature(ports: ProxyRightsPorts): ProxyRightsFeature {
  const { database, clock, logger } = ports;
  const parts = { ...ports, store: createProxyRightsStore(database), directory: createDirectoryParties(ports.graph) };
  const service = createProxyRightsService(parts);
  const exemptions = createExemptionsService(parts);
  const failed = (error: unknown): void => logger.warn({ err: error }, 'people with proxy rights could not be synchronised');
  return Object.freeze<ProxyRightsFeature>({
    mount: (app) => inEachRealm((realm) => mountProxyRights(app, { rights: service, exemptions }, realm)),
    synchronise: (scope) => service.synchronise(scope).catch(failed),
    start: {
      worker: () =>
        repeatInScopes({
          clock,
          everyMs: SYNCHRONISE_MS,
          scopes: () => ports.scopes(),
          turn: (scope, signal) => service.synchronise(scope, signal),
          onError: failed,
        }),
    },
  });
}
