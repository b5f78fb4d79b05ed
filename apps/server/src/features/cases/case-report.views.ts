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
    -- Most items are found by the same queries as many others.
    alike as (select queries, count(*) as hits, sum(size_bytes) as bytes, count(*) filter (where bit_count(item_queries) = 1) as unique,
        sum(1 + attachments) as family from found group by queries),
    queries as (select query, sum(hits)::bigint as hits, sum(bytes)::bigint as bytes, sum("unique")::bigint as unique,
        sum(family)::bigint as family
      from alike cross join generate_series(0, ${places.queries.length - 1}::int) query where get_bit(queries, query) = 1 group by query),
    once as (select resource_id, max(size_bytes) as size_bytes from found group by item_id, resource_id),
    sums as (select resource_id, count(*)::bigint as hits, sum(size_bytes)::bigint as bytes from once group by resource_id)
    select (select coalesce(json_agg(queries order by query), '[]') from queries) as queries,
      (select coalesce(json_agg(json_build_object('resourceId', resource_id, 'name', resource.name, 'address', resource.address,
          'kind', resource.kind, 'hits', sums.hits, 'bytes', sums.bytes) order by sums.hits desc, resource.name, resource_id), '[]')
        from sums join resources resource using (resource_id)) as resources`.execute(tx);
  return rows[0] ?? { queries: [], resources: [] };
}
