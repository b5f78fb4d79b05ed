import type { ResourceKind } from '@holdfast/engine';
import { sql, type RawBuilder } from 'kysely';
import { isAnythingHeld } from '../holds/index.ts';

/** Each site and drive of a tenant, or what else is named, once: as the location with its newest restore point has it. Other locations repeat it. */
export function managedSources(tenantId: string, kinds: readonly ResourceKind[] = ['drive', 'site']): RawBuilder<unknown> {
  return sql`(
    select distinct on (source.resource_id) source.organisation_id, source.realm, source.source_id, source.location_id, source.resource_id,
      source.head_sequence, source.newest_point_at, resource.name, resource.address, resource.kind, resource.graph_id, resource.deleted_at
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and resource.kind = any(${[...kinds]}) and source.points > 0
    order by source.resource_id, source.newest_point_at desc nulls last, source.source_id)`;
}

/** Whether a hold is on anything of a resource. */
export function isHeld(tenantId: string, resourceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return isAnythingHeld(sql`${tenantId}`, (id) => sql`${id} = ${resourceId}`);
}
