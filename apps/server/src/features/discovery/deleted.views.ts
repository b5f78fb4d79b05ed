import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { pageFrom, windowOf } from '../../http/paging.ts';
import type { PageOfRows } from './children.views.ts';
import { at, nodeColumns, ofSource, type BrowsePlace, type BrowseQuery, type NodeRow } from './nodes.views.ts';

/**
 * What was in a node at an earlier restore point and is nowhere in the source at this one, last there first. What was moved
 * to another node is not deleted, and what no remaining restore point shows cannot be had back.
 */
export async function deletedOf(tx: Tx, place: BrowsePlace, query: BrowseQuery): Promise<PageOfRows> {
  const { sourceId, sequence, nodeId } = place;
  const window = windowOf(query);
  const parent = nodeId === null ? sql`item.parent_key is null` : sql`item.parent_key = ${nodeId}`;
  const kind = query.kind === undefined ? sql`true` : sql`item.kind = ${query.kind}`;
  const gone = sql`(select distinct on (item.item_key) item.* from catalog_items item
    where ${ofSource(sourceId)} and ${parent} and ${kind} and item.to_point <= ${sequence}
      and not exists (select from catalog_items there where ${ofSource(sourceId, 'there')} and there.item_key = item.item_key
        and ${at(sequence, 'there')})
    order by item.item_key, item.from_point desc) item`;
  const last = sql`lateral (select point.sequence, point.committed_at from catalog_points point where ${ofSource(sourceId, 'point')}
    and point.sequence >= item.from_point and point.sequence < item.to_point order by point.sequence desc limit 1) last`;
  const { rows } = await sql<NodeRow>`
    select ${nodeColumns(sql`last.sequence`)}, null as path, last.sequence as last_sequence, last.committed_at as last_seen_at
    from ${gone} cross join ${last}
    order by last.sequence desc, item.sort_name, item.item_key limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${gone} cross join ${last}`.execute(tx);
  return pageFrom(rows, counted.rows[0]?.total ?? 0, window);
}
