import type { Audience, FileKind, ManagedNode } from '@holdfast/contract/compliance-values';
import type { TrailStep } from '@holdfast/contract/discovery';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { sortText } from '@holdfast/foundation/text';
import { isOfItems, namedIn } from '../holds/index.ts';
import { endingOf, fileKindOf } from './file-kinds.views.ts';

export interface FolderPlace {
  readonly sourceId: string;
  readonly sequence: number;
  readonly nodeId: string | null;
}

export interface FolderQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly deleted?: boolean | undefined;
  readonly type?: FileKind | undefined;
  readonly audience?: Audience | undefined;
}

/** A node before it is known what has become of it. */
export interface FoundNode {
  readonly nodeId: string;
  readonly kind: string;
  readonly isContainer: boolean;
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string | null;
  readonly author: string | null;
  /** The restore point to open it at. */
  readonly sequence: number;
}

const MAX_DEPTH = 100;
const ofSource = (sourceId: string, alias = 'item'): RawBuilder<unknown> =>
  sql`${sql.ref(`${alias}.organisation_id`)} = holdfast.organisation() and ${sql.ref(`${alias}.realm`)} = holdfast.realm()
    and ${sql.ref(`${alias}.source_id`)} = ${sourceId}`;

interface StateRow {
  readonly item_key: string;
  readonly is_open: boolean;
  readonly is_newest: boolean;
  readonly versions: number | null;
  readonly audience: Audience | null;
}

/** Those of the items that a hold is on: on their whole site, on themselves, or on a folder that they are or were in. */
async function heldAmong(tx: Tx, sourceId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows: holds } = await sql<{ hold_id: string; is_whole: boolean }>`
    select hold.hold_id, not ${isOfItems} as is_whole
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    join holds hold on hold.tenant_id = resource.tenant_id and hold.released_at is null
      and (hold.resource_id is null or hold.resource_id = resource.resource_id)
    where source.source_id = ${sourceId}`.execute(tx);
  if (holds.some(({ is_whole }) => is_whole)) return new Set(keys);
  if (holds.length === 0) return new Set();
  const { rows } = await sql<{ start: string }>`
    with recursive up (start, item_key) as (
      select wanted.item_key, wanted.item_key collate "C" from unnest(${[...keys]}::text[]) as wanted (item_key)
      union
      select up.start, item.parent_key from up join catalog_items item on ${ofSource(sourceId)} and item.item_key = up.item_key
      where item.parent_key is not null)
    select distinct up.start from up join ${namedIn(sourceId)} named using (item_key)
    where named.hold_id = any(${holds.map(({ hold_id }) => hold_id)}::uuid[])`.execute(tx);
  return new Set(rows.map(({ start }) => start));
}

/** Says of each node whether Microsoft 365 still has it so, how many versions it has there, and who can open it. */
export async function withStates(tx: Tx, place: FolderPlace, nodes: readonly FoundNode[]): Promise<ManagedNode[]> {
  const { rows } = await sql<StateRow>`
    select wanted.item_key, newest.to_point = ${FOREVER} as is_open, newest.from_point <= ${place.sequence} as is_newest, file.versions,
      (select share.audience from compliance_shares share where ${ofSource(place.sourceId, 'share')} and share.item_key = wanted.item_key
        order by array_position(array['anyone', 'guest', 'organisation'], share.audience) limit 1) as audience
    from unnest(${nodes.map((node) => node.nodeId)}::text[]) as wanted (item_key)
    cross join lateral (select item.from_point, item.to_point from catalog_items item
      where ${ofSource(place.sourceId)} and item.item_key = wanted.item_key order by item.from_point desc limit 1) newest
    left join compliance_files file on ${ofSource(place.sourceId, 'file')} and file.item_key = wanted.item_key`.execute(tx);
  const byKey = new Map(rows.map((row) => [row.item_key, row]));
  const held = await heldAmong(
    tx,
    place.sourceId,
    nodes.map((node) => node.nodeId),
  );
  return nodes.map((node) => {
    const row = byKey.get(node.nodeId);
    return {
      ...node,
      versions: node.kind === 'file' ? (row?.versions ?? 0) + 1 : 0,
      state: row?.is_open === true ? (row.is_newest ? 'live' : 'changed') : 'deleted',
      audience: row?.audience ?? null,
      isHeld: held.has(node.nodeId),
    };
  });
}

const orders = { name: 'sort_name', modifiedAt: 'modified_at', sizeBytes: 'size_bytes', kind: 'kind' } as const;

interface FoundRow {
  readonly item_key: string;
  readonly kind: string;
  readonly is_container: boolean;
  readonly name: string;
  readonly size_bytes: number;
  readonly modified_at: Date | null;
  readonly author: string | null;
  readonly sequence: number;
}

/** Without the details of a version, which no sort needs to carry. */
const columnsOf = (alias: string): RawBuilder<unknown> =>
  sql.join(
    ['item_key', 'kind', 'is_container', 'name', 'sort_name', 'size_bytes', 'modified_at', 'author'].map((name) =>
      sql.ref(`${alias}.${name}`),
    ),
  );

/** What the segments up to a point changed of the number of children; those of a search or a filter are counted. */
function liveTotal({ sourceId, sequence, nodeId }: FolderPlace, live: RawBuilder<unknown>, isNarrowed: boolean): RawBuilder<unknown> {
  return isNarrowed
    ? sql`select count(*)::bigint from ${live} found`
    : sql`select coalesce(sum(counted.change), 0)::bigint from catalog_folder_counts counted
        where ${ofSource(sourceId, 'counted')} and counted.parent_key = ${nodeId ?? ''} and counted.sequence <= ${sequence}`;
}

/** What was in a folder and is nowhere at the point, each as a restore point last shows it. Ended versions have an index of their own. */
function goneFrom({ sourceId, sequence }: FolderPlace, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select ${columnsOf('ended')}, shown.sequence from (select distinct on (item.item_key) ${columnsOf('item')}, item.from_point, item.to_point from catalog_items item
      where ${where} and item.to_point <= ${sequence} and item.to_point < ${sql.lit(FOREVER)} order by item.item_key, item.from_point desc) ended
    cross join lateral (select point.sequence from catalog_points point where ${ofSource(sourceId, 'point')}
      and point.sequence >= ended.from_point and point.sequence < ended.to_point order by point.sequence desc limit 1) shown
    where not exists (select from catalog_items there where ${ofSource(sourceId, 'there')} and there.item_key = ended.item_key
      and there.from_point <= ${sequence} and there.to_point > ${sequence}))`;
}

/** Keys of the folders below one, itself included, at a point. */
function foldersBelow({ sourceId, sequence, nodeId }: FolderPlace): RawBuilder<unknown> {
  return sql`(
    with recursive down (item_key, depth) as (
      select ${nodeId}::text collate "C", 1
      union all
      select below.item_key, down.depth + 1 from down join catalog_items below on ${ofSource(sourceId, 'below')}
        and below.parent_key = down.item_key and below.is_container and below.from_point <= ${sequence} and below.to_point > ${sequence}
      where down.depth < ${MAX_DEPTH})
    select item_key from down)`;
}

/** Where items are looked for: in the folder, and by a search of what is there everywhere below. */
function inside(place: FolderPlace, { search, deleted }: FolderQuery): RawBuilder<unknown> {
  const { nodeId } = place;
  if (search !== undefined && deleted !== true) return nodeId === null ? sql`true` : sql`item.parent_key in ${foldersBelow(place)}`;
  return nodeId === null ? sql`item.parent_key is null` : sql`item.parent_key = ${nodeId}`;
}

/** Which of the items are wanted. */
function wanted({ sourceId }: FolderPlace, { search, type, audience }: FolderQuery): readonly RawBuilder<unknown>[] {
  return [
    ...(search === undefined ? [] : [sql`item.sort_name like ${likePattern(sortText(search))}`]),
    ...(type === undefined ? [] : [sql`item.kind = 'file' and ${fileKindOf(endingOf(sql`item.name`))} = ${type}`]),
    ...(audience === undefined
      ? []
      : [
          sql`exists (select from compliance_shares share where ${ofSource(sourceId, 'share')} and share.item_key = item.item_key
            and share.audience = ${audience})`,
        ]),
  ];
}

/**
 * What a folder holds at a point, narrowed, and on request what it held before and nobody has any more: each as it was last
 * in it. Of what is there only as much is read as the pages so far can show.
 */
export async function folderPage(tx: Tx, place: FolderPlace, query: FolderQuery) {
  const { sourceId, sequence } = place;
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'name', isDescending: false });
  const narrowed = wanted(place, query);
  const where = sql.join([ofSource(sourceId), inside(place, query), ...narrowed], sql` and `);
  const order = sql.raw(`found.is_container desc, found.${orders[column]} ${isDescending ? 'desc' : 'asc'} nulls last, found.item_key`);
  const live = sql`(select ${columnsOf('item')}, ${sequence}::bigint as sequence from catalog_items item
    where ${where} and item.from_point <= ${sequence} and item.to_point > ${sequence})`;
  const gone = query.deleted === true ? goneFrom(place, where) : sql`(select * from ${live} unasked limit 0)`;
  const { rows } = await sql<FoundRow>`
    select found.item_key, found.kind, found.is_container, found.name, found.size_bytes, found.modified_at, found.author, found.sequence
    from ((select * from ${live} found order by ${order} limit ${window.offset + window.limit}) union all select * from ${gone} lost) found
    order by ${order} limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`
    select (${liveTotal(place, live, narrowed.length > 0)}) + (select count(*)::bigint from ${gone} lost) as total`.execute(tx);
  return pageFrom(rows.map(nodeOf), counted.rows[0]?.total ?? 0, window);
}

function nodeOf(row: FoundRow): FoundNode {
  return {
    nodeId: row.item_key,
    kind: row.kind,
    isContainer: row.is_container,
    name: row.name,
    sizeBytes: row.size_bytes,
    modifiedAt: row.modified_at?.toISOString() ?? null,
    author: row.author,
    sequence: row.sequence,
  };
}

/** The folders down to a node that may be gone, from the root; undefined when it never was there. */
export async function trailEver(tx: Tx, { sourceId, sequence, nodeId }: FolderPlace) {
  if (nodeId === null) return [];
  const newest = sql`select item.item_key, item.parent_key, item.name, item.kind from catalog_items item where ${ofSource(sourceId)}`;
  const { rows } = await sql<TrailStep>`
    with recursive up (item_key, parent_key, name, kind, depth) as (
      (select here.*, 1 from (${newest} and item.item_key = ${nodeId} and item.from_point <= ${sequence} order by item.from_point desc limit 1) here)
      union all
      select above.item_key, above.parent_key, above.name, above.kind, up.depth + 1 from up
      cross join lateral (${newest} and item.item_key = up.parent_key and item.from_point <= ${sequence} order by item.from_point desc limit 1) above
      where up.depth < ${MAX_DEPTH})
    select item_key as "nodeId", name, kind from up order by depth desc`.execute(tx);
  return rows.length === 0 ? undefined : rows;
}
