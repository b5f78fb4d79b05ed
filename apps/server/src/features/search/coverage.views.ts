import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { SearchPlace } from './search.views.ts';
import { firstShown, unreadVersions } from './unread-versions.views.ts';

const none = { items: 0, searched: 0, encrypted: 0, unsupported: 0, tooLarge: 0, failed: 0 };
const nothing: SearchCoverage = { ...none, scansWaiting: 0, scansRead: 0, scansFailed: 0 };

/** The SHA-256 of a message as a backup or an archive has stored it. */
const originalOf = sql`(select content #>> '{ref,sha256}' from json_array_elements(item.detail -> 'contents') content where content ->> 'role' = 'mime' limit 1)`;

/**
 * How much of what is kept can be searched: items of all restore points, each version once. Only sources that are not read
 * through are held against the catalog; of the others every version is in the index, and leaves it only by being missed:
 * see the triggers of the index.
 */
export async function coverageOf(
  tx: Tx,
  { tenantId, reach, within }: Pick<SearchPlace, 'tenantId' | 'reach' | 'within'>,
): Promise<SearchCoverage> {
  const isSearched = within ? sql`resource.resource_id = any(${[...within.resourceIds]}::uuid[])` : sql`true`;
  const ours = sql`item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and resource.tenant_id = ${tenantId} and ${isSearched}`;
  const { rows } = await sql<SearchCoverage>`
    with behind as materialized (
      select source.source_id
      from catalog_sources source
      left join search_sources known using (organisation_id, realm, source_id)
      join resources resource using (organisation_id, realm, resource_id)
      where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm() and resource.tenant_id = ${tenantId}
        and ${isSearched} and source.head_sequence > coalesce(known.read_through, 0)),
    counted as (
      select item.state, count(*) as items
      from search_items item
      join catalog_sources source using (organisation_id, realm, source_id)
      join resources resource using (organisation_id, realm, resource_id)
      where ${ours} and ${reach(sql`item.at`, sql`item.content_hash`)}
      group by item.state
      union all
      select 'scan ' || item.state, count(*)
      from search_scans item
      join catalog_sources source using (organisation_id, realm, source_id)
      join resources resource using (organisation_id, realm, resource_id)
      where ${ours} and ${reach(sql`item.at`, sql`(select found.content_hash from search_items found where found.organisation_id = item.organisation_id and found.realm = item.realm and found.item_no = item.item_no)`)}
      group by item.state
      union all
      select 'unread', count(*)
      from ${unreadVersions(sql`array(select source_id from behind)`, reach(sql`coalesce(item.modified_at, item.created_at)`, originalOf))} unread
      join ${firstShown})
    select coalesce(sum(items) filter (where not starts_with(state, 'scan ')), 0)::bigint as items,
      coalesce(sum(items) filter (where state <> 'unread' and not starts_with(state, 'scan ')), 0)::bigint as searched,
      coalesce(sum(items) filter (where state = 'encrypted'), 0)::bigint as encrypted,
      coalesce(sum(items) filter (where state = 'unsupported'), 0)::bigint as unsupported,
      coalesce(sum(items) filter (where state = 'tooLarge'), 0)::bigint as "tooLarge",
      coalesce(sum(items) filter (where state = 'failed'), 0)::bigint as failed,
      coalesce(sum(items) filter (where state = 'scan waiting'), 0)::bigint as "scansWaiting",
      coalesce(sum(items) filter (where state = 'scan read'), 0)::bigint as "scansRead",
      coalesce(sum(items) filter (where state = 'scan failed'), 0)::bigint as "scansFailed"
    from counted`.execute(tx);
  return rows[0] ?? nothing;
}
