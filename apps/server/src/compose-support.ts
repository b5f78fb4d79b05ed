import type { Ground } from './compose-ground.ts';
import { createSupportService, createSupportViews, type SupportService } from './features/support/index.ts';
import { readTenant } from './features/tenants/index.ts';

/** What support gets to see of this process and of one organisation. */
export function composeSupport({ config, version, database, clock, audit }: Ground): SupportService {
  return createSupportService({
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
}
