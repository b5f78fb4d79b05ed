import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { SearchPlace } from './search.views.ts';
import { searchedKinds } from './searched-kinds.ts';

/** How much of what is kept can be searched: items of all restore points, each version once. */
export async function coverageOf(
  tx: Tx,
  { tenantId, reach, within }: Pick<SearchPlace, 'tenantId' | 'reach' | 'within'>,
): Promise<SearchCoverage> {
  const isSearched = within ? sql`resource.resource_id = any(${[...within.resourceIds]}::uuid[])` : sql`true`;
  const { rows } = await sql<SearchCoverage>`
    select count(*)::bigint as items, count(known.item_no)::bigint as searched,
      count(*) filter (where known.state = 'encrypted')::bigint as encrypted,
      count(*) filter (where known.state = 'unsupported')::bigint as unsupported,
      count(*) filter (where known.state = 'tooLarge')::bigint as "tooLarge",
      count(*) filter (where known.state = 'failed')::bigint as failed
    from catalog_items item
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    left join search_items known on known.organisation_id = item.organisation_id and known.realm = item.realm
      and known.source_id = item.source_id and known.item_key = item.item_key and known.from_point = item.from_point
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and resource.tenant_id = ${tenantId}
      and ${isSearched} and ${reach(sql`coalesce(item.modified_at, item.created_at)`)} and item.kind = any(${searchedKinds})
      and exists (select from catalog_points point where point.organisation_id = item.organisation_id and point.realm = item.realm
        and point.source_id = item.source_id and point.sequence >= item.from_point and point.sequence < item.to_point)`.execute(tx);
  return rows[0] ?? { items: 0, searched: 0, encrypted: 0, unsupported: 0, tooLarge: 0, failed: 0 };
}
