import type { Database, Realm, Scope } from '@holdfast/database';
import { readOrganisation } from '../organisations/index.ts';
import type { Actor } from '../../access/actor.ts';
import type { OrganisationReference, OrganisationResolver, ResolvedOrganisation } from '../../http/ports.ts';
import { scopeOfTenant, workerAt } from './workers.store.ts';
import { activeTenant } from './workers.views.ts';

/** Finds the organisation that a tenant, a worker or the last choice stands for. */
export function createOrganisationResolver(options: {
  readonly database: Database;
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
}): OrganisationResolver {
  const { database, chosen } = options;

  async function byTenant(tenantId: string, realm: Scope['realm']): Promise<ResolvedOrganisation[]> {
    const scope = await scopeOfTenant(database, tenantId, realm);
    return scope ? [{ organisationId: scope.organisationId, tenantId }] : [];
  }

  /** The organisations of the actor, the one chosen last first. */
  async function own(actor: Actor): Promise<Scope['organisationId'][]> {
    const first = await chosen(actor);
    const ids = actor.memberships.map((membership) => membership.organisationId);
    return [...ids.filter((id) => id === first), ...ids.filter((id) => id !== first)];
  }

  async function withTenant(
    organisationId: Scope['organisationId'],
    realm: Scope['realm'],
    ip?: string,
  ): Promise<ResolvedOrganisation | undefined> {
    return database.within({ organisationId, realm }, async (tx) => {
      const worker = ip === undefined ? undefined : await workerAt(tx, ip);
      if (ip !== undefined && !worker) return undefined;
      const tenantId = await activeTenant(tx);
      return { organisationId, ...(tenantId === null ? {} : { tenantId }), ...(worker ? { workerId: worker.worker_id } : {}) };
    });
  }

  async function byAbbreviation(abbr: string, actor: Actor, realm: Realm): Promise<ResolvedOrganisation[]> {
    for (const organisationId of await own(actor)) {
      const row = await database.within({ organisationId, realm }, readOrganisation);
      if (row?.abbr === abbr) return [{ organisationId }];
    }
    return [];
  }

  return Object.freeze<OrganisationResolver>({
    async resolve(reference: OrganisationReference, actor, realm) {
      if (reference.tenantId !== undefined) return byTenant(reference.tenantId, realm);
      if (reference.abbr !== undefined) return byAbbreviation(reference.abbr, actor, realm);
      const found: ResolvedOrganisation[] = [];
      for (const organisationId of await own(actor)) {
        const candidate = await withTenant(organisationId, realm, reference.workerIp);
        if (candidate) found.push(candidate);
      }
      return found;
    },
  });
}
