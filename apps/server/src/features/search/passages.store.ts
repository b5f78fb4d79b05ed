import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { SearchReach } from '../content-access/index.ts';

/** Somebody waits: what takes long to read is opened instead. */
const LARGEST_BYTES = 25 * 1024 * 1024;

/** A hit, and where it is kept. */
export interface ShownHit {
  readonly hit_id: string;
  readonly location_id: string;
  readonly resource_id: string;
  readonly item_key: string;
  readonly sequence: number;
}

/** Those of these hits that the searcher may read, with a restore point that shows them. */
export async function readableHits(tx: Tx, tenantId: string, reach: SearchReach, hitIds: readonly string[]): Promise<readonly ShownHit[]> {
  const { rows } = await sql<ShownHit>`
    select item.item_no::text as hit_id, source.location_id, source.resource_id, item.item_key, shown.sequence
    from search_items item
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
    join lateral (select sequence from catalog_points point where point.organisation_id = item.organisation_id
      and point.realm = item.realm and point.source_id = item.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by sequence desc limit 1) shown on true
    where item.item_no = any(${[...hitIds]}::bigint[]) and resource.tenant_id = ${tenantId} and item.size_bytes <= ${LARGEST_BYTES}
      and ${reach(sql`item.at`, sql`item.content_hash`)}`.execute(tx);
  return rows;
}
