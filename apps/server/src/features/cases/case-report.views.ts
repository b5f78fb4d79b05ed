import type { CaseReport } from '@holdfast/contract/case-values';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { hitsOf, type SearchPlace } from '../search/index.ts';

/** What each of some queries finds: all of its items, and those that no other of them finds. */
export interface QueryFigures {
  readonly query: number;
  readonly hits: number;
  readonly bytes: number;
  readonly unique: number;
  /** With what is attached to them. */
  readonly family: number;
}

/** What the queries find together, each item once. */
function together(places: readonly SearchPlace[]) {
  const found = places.map(
    (place, query) =>
      sql`select ${query}::int as query, hit.source_id, hit.item_key, hit.size_bytes, hit.attachments from ${hitsOf(place)} hit`,
  );
  return sql`with found as materialized (${sql.join(found, sql` union all `)}),
    once as (select source_id, item_key, count(*) as queries, max(size_bytes) as size_bytes from found group by source_id, item_key)`;
}

export async function figuresOfQueries(tx: Tx, places: readonly SearchPlace[]): Promise<readonly QueryFigures[]> {
  const { rows } = await sql<QueryFigures>`${together(places)}
    select found.query, count(*)::bigint as hits, sum(found.size_bytes)::bigint as bytes,
      (count(*) filter (where once.queries = 1))::bigint as unique, sum(1 + found.attachments)::bigint as family
    from found join once using (source_id, item_key) group by found.query order by found.query`.execute(tx);
  return rows;
}

/** The same by mailbox, drive and chat, those with the most items first. */
export async function figuresByResource(tx: Tx, places: readonly SearchPlace[]): Promise<CaseReport['resources']> {
  const { rows } = await sql<CaseReport['resources'][number]>`${together(places)}
    select resource.resource_id as "resourceId", resource.name, resource.address, resource.kind, count(*)::bigint as hits,
      sum(once.size_bytes)::bigint as bytes
    from once join catalog_sources source using (source_id)
    join resources resource using (organisation_id, realm, resource_id)
    group by 1, 2, 3, 4 order by hits desc, resource.name, resource.resource_id`.execute(tx);
  return rows;
}
