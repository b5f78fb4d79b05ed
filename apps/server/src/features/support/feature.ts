import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import { readTenant } from '../tenants/index.ts';
import { createSupportRoutes } from './support.routes.ts';
import { createSupportService } from './support.service.ts';
import { createSupportViews } from './support.views.ts';

/** What support stands on. */
export interface SupportPorts {
  readonly config: Config;
  readonly version: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditInbox;
}

/** What support gets to see of this process and of one organisation. */
export function createSupportFeature({ config, version, database, clock, audit }: SupportPorts): Feature {
  const service = createSupportService({
    views: createSupportViews(database),
    version,
    settings: Object.entries(config).map(([name, value]) => ({ name, hasValue: value !== undefined && value !== '' })),
    record: ({ actor, scope, request }, tenantId) =>
      database.within(scope, async (tx) => {
        const tenant = await readTenant(tx, tenantId);
        await audit.record(tx, {
          event: 'support.bundle-made',
          actor: { kind: 'account', id: actor.accountId, name: actor.email, address: request.address, requestId: request.id },
          subject: { kind: 'tenant', id: tenantId, ...(tenant ? { name: tenant.name } : {}) },
        });
      }),
    clock,
  });
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => createSupportRoutes(app, service, realm)),
  });
}
