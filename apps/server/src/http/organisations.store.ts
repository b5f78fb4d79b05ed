import type { Database, OrganisationId, Realm } from '@holdfast/database';
import { isUuid } from '@holdfast/foundation/ids';
import type { Clock } from '@holdfast/foundation/clock';
import type { Actor } from '../access/actor.ts';
import type { OrganisationResolver, ResolvedOrganisation } from './ports.ts';

/** A tenant never changes its organisation; that it is gone is seen after this long. */
const BELIEVE_MS = 5_000;
const MAX_ENTRIES = 10_000;

export interface OrganisationResolverOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The organisation an actor chose last, for legacy calls that name none. */
  chosen(actor: Actor): Promise<string | undefined>;
}

/** Finds the organisation behind a tenant or a worker, over ids alone. */
export function createOrganisationResolver(options: OrganisationResolverOptions): OrganisationResolver {
  const { database, clock } = options;
  const known = new Map<string, { readonly organisationId: OrganisationId; readonly readAtMs: number }>();

  async function ofTenant(tenantId: string, realm: Realm): Promise<ResolvedOrganisation[]> {
    if (!isUuid(tenantId)) return [];
    const key = `${realm}/${tenantId}`;
    const remembered = known.get(key);
    if (remembered && clock.nowMs() - remembered.readAtMs < BELIEVE_MS) return [{ organisationId: remembered.organisationId, tenantId }];
    const row = await database.acrossOrganisations((tx) =>
      tx.selectFrom('tenants').select('organisation_id').where('tenant_id', '=', tenantId).where('realm', '=', realm).executeTakeFirst(),
    );
    known.delete(key);
    if (!row) return [];
    if (known.size >= MAX_ENTRIES) known.clear();
    const organisationId = row.organisation_id as OrganisationId;
    known.set(key, { organisationId, readAtMs: clock.nowMs() });
    return [{ organisationId, tenantId }];
  }

  async function behind(
    organisationId: OrganisationId,
    realm: Realm,
    workerIp: string | undefined,
  ): Promise<ResolvedOrganisation | undefined> {
    return database.within({ organisationId, realm }, async (tx) => {
      const worker =
        workerIp === undefined
          ? undefined
          : await tx.selectFrom('workers').select('worker_id').where('ip', '=', workerIp).executeTakeFirst();
      if (workerIp !== undefined && !worker) return undefined;
      const tenant = await tx.selectFrom('tenants').select('tenant_id').where('active', '=', true).executeTakeFirst();
      return {
        organisationId,
        ...(tenant ? { tenantId: tenant.tenant_id } : {}),
        ...(worker ? { workerId: worker.worker_id } : {}),
      };
    });
  }

  return Object.freeze<OrganisationResolver>({
    async resolve(reference, actor, realm) {
      const { tenantId, workerIp } = reference;
      if (tenantId !== undefined && workerIp === undefined) return ofTenant(tenantId, realm);
      const chosen = workerIp === undefined ? await options.chosen(actor) : undefined;
      const candidates = actor.memberships
        .map(({ organisationId }) => organisationId)
        .filter((id) => chosen === undefined || id === chosen);
      const found: ResolvedOrganisation[] = [];
      for (const organisationId of candidates) {
        const resolved = await behind(organisationId, realm, workerIp);
        if (resolved) found.push(resolved);
      }
      if (tenantId === undefined) return found;
      const [owner] = await ofTenant(tenantId, realm);
      return found.filter(({ organisationId }) => organisationId === owner?.organisationId).map((one) => ({ ...one, tenantId }));
    },
  });
}
