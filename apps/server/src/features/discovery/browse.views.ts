import type { Node, TrailStep } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import { FOREVER, type Database, type Scope, type Tx } from '@holdfast/database';
import { sortText } from '@holdfast/foundation/text';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, windowOf, type PageWindow } from '../../http/paging.ts';
import { childrenOf, type PageOfRows } from './children.views.ts';
import { deletedOf } from './deleted.views.ts';
import { at, nodeColumns, nodeOf, nodeOrder, ofSource, type BrowsePlace, type BrowseQuery, type NodeRow } from './nodes.views.ts';

export type Trail = readonly TrailStep[];
export type ComparedNode = Node & { readonly change: 'added' | 'changed' | 'removed' };

/** A page of what a node holds, and the path to it from the root. */
export type OpenedNode = Page<Node> & { readonly trail: Trail };

/** What is where at a restore point. */
export interface BrowseViews {
  /**
   * Children of a node, containers first; with `search`, everything below it whose name holds the words. Undefined when the
   * node is not there at this point.
   */
  open(scope: Scope, place: BrowsePlace, query: BrowseQuery): Promise<OpenedNode | undefined>;
  /** What differs between two points. */
  compare(
    scope: Scope,
    place: { readonly sourceId: string; readonly from: number; readonly to: number },
    query: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<ComparedNode>>;
}

/** Folders can be nested, but not without end: a damaged chain must not turn a query into a loop. */
const MAX_DEPTH = 100;

/** The names from the root down to the item, at the point at which it is shown. */
function pathOf(sequence: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive up (parent_key, name, depth) as (
      select item.parent_key, item.name, 1
      union all
      select above.parent_key, above.name, up.depth + 1 from up join catalog_items above
        on above.organisation_id = item.organisation_id and above.realm = item.realm and above.source_id = item.source_id
        and above.item_key = up.parent_key and above.from_point <= ${sequence} and above.to_point > ${sequence}
      where up.depth < ${MAX_DEPTH})
    select string_agg(name, '/' order by depth desc) from up)`;
}

/** Keys of the containers below a node, itself included. */
function below({ sourceId, sequence, nodeId }: BrowsePlace): RawBuilder<unknown> {
  return sql`(
    with recursive down (item_key, depth) as (
      select ${nodeId}::text collate "C", 1
      union all
      select item.item_key, down.depth + 1 from down join catalog_items item
        on ${ofSource(sourceId)} and item.parent_key = down.item_key and item.is_container and ${at(sequence)}
      where down.depth < ${MAX_DEPTH})
    select item_key from down)`;
}

async function found(tx: Tx, place: BrowsePlace, query: BrowseQuery): Promise<PageOfRows> {
  const window = windowOf(query);
  const name = sql`item.sort_name like ${likePattern(sortText(query.search ?? ''))}`;
  const inside = place.nodeId === null ? sql`true` : sql`item.parent_key in ${below(place)}`;
  const kind = query.kind === undefined ? sql`true` : sql`item.kind = ${query.kind}`;
  const where = sql`${ofSource(place.sourceId)} and ${name} and ${at(place.sequence)} and ${inside} and ${kind}`;
  const { rows } = await sql<NodeRow>`
    select ${nodeColumns(sql`${place.sequence}`)}, ${pathOf(sql`${place.sequence}`)} as path, null as last_sequence, null as last_seen_at from catalog_items item where ${where}
    order by ${nodeOrder(query.sort)} limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from catalog_items item where ${where}`.execute(tx);
  return pageFrom(rows, counted.rows[0]?.total ?? 0, window);
}

/** Whenever it was last there: the newest version of each item that matches, with the last point that shows it. */
async function foundEver(tx: Tx, place: BrowsePlace, query: BrowseQuery): Promise<PageOfRows> {
  const window = windowOf(query);
  const name = sql`item.sort_name like ${likePattern(sortText(query.search ?? ''))}`;
  const kind = query.kind === undefined ? sql`true` : sql`item.kind = ${query.kind}`;
  const newest = sql`(select distinct on (item.item_key) item.* from catalog_items item where ${ofSource(place.sourceId)} and ${name} and ${kind}
    order by item.item_key, item.from_point desc) item`;
  const last = sql`lateral (select point.sequence, point.committed_at from catalog_points point where ${ofSource(place.sourceId, 'point')}
    and point.sequence >= item.from_point and point.sequence < item.to_point order by point.sequence desc limit 1) last`;
  const { rows } = await sql<NodeRow>`
    select ${nodeColumns(sql`last.sequence`)}, ${pathOf(sql`last.sequence`)} as path, last.sequence as last_sequence,
      case when item.to_point = ${FOREVER} then null else last.committed_at end as last_seen_at
    from ${newest} cross join ${last}
    order by ${nodeOrder(query.sort)} limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${newest} cross join ${last}`.execute(tx);
  return pageFrom(rows, counted.rows[0]?.total ?? 0, window);
}

async function trailOf(tx: Tx, { sourceId, sequence, nodeId }: BrowsePlace): Promise<Trail | undefined> {
  if (nodeId === null) return [];
  const { rows } = await sql<{ item_key: string; name: string; kind: string }>`
    with recursive up (item_key, parent_key, name, kind, depth) as (
      select item.item_key, item.parent_key, item.name, item.kind, 1 from catalog_items item
      where ${ofSource(sourceId)} and item.item_key = ${nodeId} and ${at(sequence)}
      union all
      select item.item_key, item.parent_key, item.name, item.kind, up.depth + 1 from up join catalog_items item
        on ${ofSource(sourceId)} and item.item_key = up.parent_key and ${at(sequence)}
      where up.depth < ${MAX_DEPTH})
    select item_key, name, kind from up order by depth desc`.execute(tx);
  return rows.length === 0 ? undefined : rows.map((row) => ({ nodeId: row.item_key, name: row.name, kind: row.kind }));
}

async function differences(tx: Tx, place: { sourceId: string; from: number; to: number }, window: PageWindow) {
  const { sourceId, from, to } = place;
  const state = (sequence: number): RawBuilder<unknown> =>
    sql`(select * from catalog_items item where ${ofSource(sourceId)} and ${at(sequence)}
      and ((from_point > ${from} and from_point <= ${to}) or (to_point > ${from} and to_point <= ${to})))`;
  const changed = sql`(
    select after.*, case when before.item_key is null then 'added' else 'changed' end as change
      from ${state(to)} after left join ${state(from)} before using (item_key)
    union all
    select before.*, 'removed' from ${state(from)} before
      where not exists (select from catalog_items item where ${ofSource(sourceId)} and item.item_key = before.item_key and ${at(to)})) item`;
  const { rows } = await sql<NodeRow & { change: ComparedNode['change'] }>`
    select ${nodeColumns(sql`${to}`)}, item.change, null as last_sequence, null as last_seen_at,
      ${pathOf(sql`(case when item.change = 'removed' then ${from}::bigint else ${to}::bigint end)`)} as path
    from ${changed} order by item.change, item.sort_name, item.item_key limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${changed}`.execute(tx);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export function createBrowseViews(database: Database): BrowseViews {
  return Object.freeze<BrowseViews>({
    open(scope, place, query) {
      return database.within(scope, async (tx) => {
        const trail = await trailOf(tx, place);
        if (!trail) return undefined;
        const isSearch = query.search !== undefined && query.search !== '';
        const inside = query.deleted === true ? deletedOf : childrenOf;
        const read = !isSearch ? inside : query.everywhere === true ? foundEver : found;
        const { items, ...page } = await read(tx, place, query);
        const parentPath = isSearch ? '' : trail.map((step) => step.name).join('/');
        return { items: items.map((row) => nodeOf(row, parentPath)), ...page, trail };
      });
    },
    compare(scope, place, query) {
      const window = windowOf(query);
      return database.within(scope, async (tx) => {
        const { rows, total } = await differences(tx, place, window);
        return pageFrom(
          rows.map((row) => ({ ...nodeOf(row), change: row.change })),
          total,
          window,
        );
      });
    },
  });
}
