import type { CaseReport } from '@holdfast/contract/case-values';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { hitsOfEach, type SearchPlaces } from '../search/index.ts';

/** What each of some queries finds: all of its items, and those that no other of them finds. */
export interface QueryFigures {
  readonly query: number;
  readonly hits: number;
  readonly bytes: number;
  readonly unique: number;
  /** With what is attached to them. */
  readonly family: number;
}

/** What some queries find: each of them, and all together by mailbox, drive and chat, those with the most items first. */
interface CaseFigures {
  readonly queries: readonly QueryFigures[];
  readonly resources: CaseReport['resources'];
}

/** One statement for all of it: every query is asked once, and what several find is located once. */
export async function figuresOfQueries(tx: Tx, places: SearchPlaces): Promise<CaseFigures> {
  const { rows } = await sql<CaseFigures>`with ${hitsOfEach(places)},
    hits as materialized (select found.query, found.item_id, placed.resource_id, placed.size_bytes, placed.attachments
      from found join placed using (item_no)),
    once as materialized (select item_id, count(*) as queries, max(size_bytes) as size_bytes, min(resource_id::text)::uuid as resource_id
      from hits group by item_id),
    queries as (select hits.query, count(*)::bigint as hits, sum(hits.size_bytes)::bigint as bytes,
        (count(*) filter (where once.queries = 1))::bigint as unique, sum(1 + hits.attachments)::bigint as family
      from hits join once using (item_id) group by hits.query),
    sums as (select resource_id, count(*)::bigint as hits, sum(size_bytes)::bigint as bytes from once group by resource_id)
    select (select coalesce(json_agg(queries order by query), '[]') from queries) as queries,
      (select coalesce(json_agg(json_build_object('resourceId', resource_id, 'name', resource.name, 'address', resource.address,
          'kind', resource.kind, 'hits', sums.hits, 'bytes', sums.bytes) order by sums.hits desc, resource.name, resource_id), '[]')
        from sums join resources resource using (resource_id)) as resources`.execute(tx);
  return rows[0] ?? { queries: [], resources: [] };
}
