import type { Node, RestorePoint, Source } from '@holdfast/contract/discovery';
import { sql, type RawBuilder } from 'kysely';
import { sortOf } from '../../http/paging.ts';
import { factsOf } from './node-facts.ts';

/** Which state of a source is looked at, and in which of its nodes; null is the root. */
export interface BrowsePlace {
  readonly sourceId: string;
  readonly sequence: number;
  readonly nodeId: string | null;
}

export interface BrowseQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly everywhere?: boolean | undefined;
  readonly deleted?: boolean | undefined;
  readonly kind?: string | undefined;
}

/** Rows of a source, by the leading columns of every index. */
export function ofSource(sourceId: string, alias = 'item'): RawBuilder<unknown> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`);
  return sql`${column('organisation_id')} = holdfast.organisation() and ${column('realm')} = holdfast.realm() and ${column('source_id')} = ${sourceId}`;
}

/** Versions that hold at a restore point. */
export function at(sequence: number, alias = 'item'): RawBuilder<unknown> {
  return sql`${sql.ref(`${alias}.from_point`)} <= ${sequence} and ${sql.ref(`${alias}.to_point`)} > ${sequence}`;
}

export interface NodeRow {
  readonly item_key: string;
  readonly parent_key: string | null;
  readonly kind: string;
  readonly is_container: boolean;
  readonly name: string;
  readonly path: string | null;
  readonly size_bytes: number;
  readonly created_at: Date | null;
  readonly modified_at: Date | null;
  readonly author: string | null;
  readonly versions: number;
  readonly item_count: number | null;
  readonly has_attachments: boolean;
  /** Of kinds that have facts. */
  readonly detail: object | null;
  readonly last_sequence: number | null;
  readonly last_seen_at: Date | null;
}

/** How many items a container holds at a point: of a mail folder its messages, of others everything that is in it. */
function itemCount(sequence: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when item.is_container then (select coalesce(sum(counted.change), 0)::bigint from catalog_folder_counts counted
    where counted.organisation_id = item.organisation_id and counted.realm = item.realm and counted.source_id = item.source_id
      and counted.parent_key = item.item_key and counted.sequence <= ${sequence}
      and (item.kind <> 'mailFolder' or counted.kind = 'message')) end`;
}

/** The columns of a node at a point, and the number of its versions. */
export function nodeColumns(sequence: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`item.item_key, item.parent_key, item.kind, item.is_container, item.name, item.size_bytes, item.created_at, item.modified_at,
  item.author, (select count(*) from catalog_items version where version.organisation_id = item.organisation_id and version.realm = item.realm
    and version.source_id = item.source_id and version.item_key = item.item_key)::bigint as versions,
  ${itemCount(sequence)} as item_count, item.has_attachments,
  case when item.kind in ('message', 'event', 'task', 'mailFolder') then item.detail end as detail`;
}

const orders = { name: 'item.sort_name', modifiedAt: 'item.modified_at', sizeBytes: 'item.size_bytes', kind: 'item.kind' } as const;

/** Containers first, then as asked. */
export function nodeOrder(sort: string | undefined): RawBuilder<unknown> {
  const { column, isDescending } = sortOf<keyof typeof orders>(sort, { column: 'name', isDescending: false });
  const direction = isDescending ? 'desc' : 'asc';
  return sql.raw(`item.is_container desc, ${orders[column]} ${direction} nulls last, item.item_key`);
}

export function nodeOf(row: NodeRow, parentPath?: string): Node {
  const path = row.path ?? (parentPath === undefined || parentPath === '' ? row.name : `${parentPath}/${row.name}`);
  return {
    nodeId: row.item_key,
    parentId: row.parent_key,
    kind: row.kind,
    isContainer: row.is_container,
    name: row.name,
    path,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at?.toISOString() ?? null,
    modifiedAt: row.modified_at?.toISOString() ?? null,
    author: row.author,
    versions: row.versions,
    itemCount: row.item_count,
    facts: factsOf(row),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    lastSequence: row.last_sequence,
  };
}

export interface PointRow {
  readonly sequence: number;
  readonly committed_at: Date;
  readonly status: RestorePoint['status'];
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function pointOf({ committed_at, ...row }: PointRow): RestorePoint {
  return { ...row, at: committed_at.toISOString() };
}

export interface SourceRow {
  readonly source_id: string;
  readonly resource_id: string;
  readonly is_held: boolean;
  readonly graph_id: string;
  readonly name: string;
  readonly address: string;
  readonly kind: Source['kind'];
  readonly workload: Source['workload'];
  readonly points: number;
  readonly oldest_point_at: Date | null;
  readonly newest_point_at: Date | null;
  readonly items: number;
  readonly bytes: number;
  readonly deleted_at: Date | null;
}

export function sourceOf(row: SourceRow): Source {
  return {
    sourceId: row.source_id,
    resourceId: row.resource_id,
    graphId: row.graph_id,
    name: row.name,
    address: row.address,
    kind: row.kind,
    workload: row.workload,
    points: row.points,
    oldestPointAt: row.oldest_point_at?.toISOString() ?? null,
    newestPointAt: row.newest_point_at?.toISOString() ?? null,
    items: row.items,
    bytes: row.bytes,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    isHeld: row.is_held,
  };
}
