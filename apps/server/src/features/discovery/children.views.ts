import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { sql, type RawBuilder } from 'kysely';
import { pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { at, nodeColumns, nodeOrder, ofSource, type BrowsePlace, type BrowseQuery, type NodeRow } from './nodes.views.ts';

/** A page of rows, and where the next begins. */
export interface PageOfRows {
  readonly items: readonly NodeRow[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** Where in the order of names a page begins: after this child. */
interface Position {
  readonly item_key: string;
  readonly is_container: boolean;
  readonly sort_name: string;
  readonly modified_at: Date | null;
}

const shown = ({ sequence }: BrowsePlace): RawBuilder<unknown> =>
  sql`${nodeColumns(sql`${sequence}`)}, null as path, null as last_sequence, null as last_seen_at`;

/** Kinds that are read newest first: an index has them in this order. */
const READ_BY_TIME: readonly string[] = ['message', 'post', 'chatMessage'];
/** As the index has it: what has no time is the oldest. */
const time = sql`coalesce(item.modified_at, timestamptz '-infinity')`;

function conditions(place: BrowsePlace, kind: string | undefined): RawBuilder<unknown> {
  const parent = place.nodeId === null ? sql`item.parent_key is null` : sql`item.parent_key = ${place.nodeId}`;
  const isKind = kind === undefined ? sql`true` : sql`item.kind = ${kind}`;
  return sql`${ofSource(place.sourceId)} and ${parent} and ${at(place.sequence)} and ${isKind}`;
}

/** How many children a node has at the point: what the segments up to it changed of their number. */
async function totalOf(tx: Tx, place: BrowsePlace, kind: string | undefined): Promise<number> {
  const isKind = kind === undefined ? sql`true` : sql`counted.kind = ${kind}`;
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(change), 0)::bigint as total from catalog_folder_counts counted
    where ${ofSource(place.sourceId, 'counted')} and counted.parent_key = ${place.nodeId ?? ''} and counted.sequence <= ${place.sequence}
      and ${isKind}`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** The child that ended the page before. Between two pages a run may have moved it: any version of it tells where to go on. */
async function positionOf(tx: Tx, place: BrowsePlace, cursor: string): Promise<Position> {
  const key = Buffer.from(cursor, 'base64url').toString();
  const { rows } = await sql<Position>`
    select item_key, is_container, sort_name, modified_at from catalog_items item
    where ${ofSource(place.sourceId)} and item.item_key = ${key}
    order by item.from_point <= ${place.sequence} desc, item.from_point desc limit 1`.execute(tx);
  const [found] = rows;
  if (!found) throw new AppError('request.invalid', { details: { field: 'cursor' } });
  return found;
}

/**
 * In the order of names, from the index: containers, then the others, each from the last child that was seen on. What
 * the pages before took is not read again, however far down the reader is.
 */
async function byName(tx: Tx, place: BrowsePlace, query: BrowseQuery, isDescending: boolean): Promise<Omit<PageOfRows, 'total'>> {
  const after = query.cursor === undefined ? undefined : await positionOf(tx, place, query.cursor);
  const where = conditions(place, query.kind);
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const rows: NodeRow[] = [];
  for (const isContainer of after?.is_container === false ? [false] : [true, false]) {
    const missing = query.limit + 1 - rows.length;
    if (missing === 0) break;
    const beyond =
      after?.is_container === isContainer
        ? sql`(item.sort_name, item.item_key) ${sql.raw(isDescending ? '<' : '>')} (${after.sort_name}, ${after.item_key})`
        : sql`true`;
    const found = await sql<NodeRow>`
      select ${shown(place)} from catalog_items item where ${where} and item.is_container = ${isContainer} and ${beyond}
      order by item.sort_name ${direction}, item.item_key ${direction} limit ${missing}`.execute(tx);
    rows.push(...found.rows);
  }
  return cutTo(rows, query.limit);
}

/** A page out of one row more than it has. */
function cutTo(rows: readonly NodeRow[], limit: number): Omit<PageOfRows, 'total'> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && rows.length > limit ? Buffer.from(last.item_key).toString('base64url') : null };
}

/** Messages in the order of their times, from the index. */
async function byTime(tx: Tx, place: BrowsePlace, query: BrowseQuery & { readonly kind: string }, isDescending: boolean) {
  const after = query.cursor === undefined ? undefined : await positionOf(tx, place, query.cursor);
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(${time}, item.item_key) ${sql.raw(isDescending ? '<' : '>')}
          (coalesce(${after.modified_at}::timestamptz, timestamptz '-infinity'), ${after.item_key})`;
  const { rows } = await sql<NodeRow>`
    select ${shown(place)} from catalog_items item
    where ${conditions(place, undefined)} and item.kind = ${sql.lit(query.kind)} and ${beyond}
    order by ${time} ${direction}, item.item_key ${direction} limit ${query.limit + 1}`.execute(tx);
  return cutTo(rows, query.limit);
}

/** Children of a node at a point, containers first. */
export async function childrenOf(tx: Tx, place: BrowsePlace, query: BrowseQuery): Promise<PageOfRows> {
  const total = await totalOf(tx, place, query.kind);
  if (total === 0) return { items: [], nextCursor: null, total };
  const { column, isDescending } = sortOf<string>(query.sort, { column: 'name', isDescending: false });
  if (column === 'name') return { ...(await byName(tx, place, query, isDescending)), total };
  const { kind } = query;
  if (column === 'modifiedAt' && kind !== undefined && READ_BY_TIME.includes(kind))
    return { ...(await byTime(tx, place, { ...query, kind }, isDescending)), total };
  const window = windowOf(query);
  const { rows } = await sql<NodeRow>`
    select ${shown(place)} from catalog_items item where ${conditions(place, query.kind)}
    order by ${nodeOrder(query.sort)} limit ${window.limit} offset ${window.offset}`.execute(tx);
  return pageFrom(rows, total, window);
}
