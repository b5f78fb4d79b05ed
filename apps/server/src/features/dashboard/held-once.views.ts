import type { Source } from '@holdfast/contract/discovery';
import { sql, type RawBuilder } from 'kysely';

/** Each resource of a kind once, as the location with its newest restore point holds it: other locations repeat the same content. */
export function heldOnce(tenantId: string, kind: Source['kind']): RawBuilder<unknown> {
  return sql`(
    select distinct on (source.resource_id) source.organisation_id, source.realm, source.source_id, source.location_id, source.items, source.bytes,
      resource.resource_id, resource.name, resource.address
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and resource.kind = ${kind} and source.points > 0
    order by source.resource_id, source.newest_point_at desc nulls last, source.source_id)`;
}
