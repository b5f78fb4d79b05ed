import type { sensitiveQuery } from '@holdfast/contract/compliance';
import { audiences, type SensitiveRow } from '@holdfast/contract/compliance-values';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { conditions, placeColumns, placed, placeTables, type PlaceRow } from './findings.views.ts';

/** Folders can be nested, but a damaged chain must not turn a query into a loop. */
const MAX_DEPTH = 100;

/** The newest version of each live file of a tenant, as the index has read it. */
const readFiles = (tenantId: string): RawBuilder<unknown> => sql`compliance_files file
  join compliance_sources source on source.organisation_id = file.organisation_id and source.realm = file.realm
    and source.source_id = file.source_id and source.tenant_id = ${tenantId}
  join catalog_items item on item.organisation_id = file.organisation_id and item.realm = file.realm and item.source_id = file.source_id
    and item.item_key = file.item_key and item.to_point = ${FOREVER}
  join search_items words on words.organisation_id = item.organisation_id and words.realm = item.realm and words.source_id = item.source_id
    and words.item_key = item.item_key and words.from_point = item.from_point`;

/** An item whose rights are its own: what is shared above it does not reach it. Graph marks each right that comes from above. */
const isApart = sql`(json_array_length(coalesce(here.detail -> 'properties' -> 'permissions', '[]'::json)) > 0
  and not exists (select from json_array_elements(here.detail -> 'properties' -> 'permissions') as permission
    where permission -> 'inheritedFrom' is not null))`;

/** Files with findings, each with the widest audience of the shares on it and on the folders above. */
function withAudience(tenantId: string): RawBuilder<unknown> {
  return sql`
    with recursive found as (
      select file.source_id, file.item_key,
        jsonb_agg(jsonb_build_object('kind', one.kind, 'count', one.count, 'sample', one.sample) order by one.count desc, one.kind) as found,
        array_agg(one.kind) as kinds, sum(one.count)::bigint as count
      from ${readFiles(tenantId)}
      join search_sensitive one on one.organisation_id = words.organisation_id and one.realm = words.realm and one.item_no = words.item_no
      where not file.is_deleted group by file.source_id, file.item_key),
    up (source_id, item_key, at_key, depth) as (
      select source_id, item_key, item_key, 0 from found
      union all
      select up.source_id, up.item_key, here.parent_key, up.depth + 1
      from up join catalog_items here on here.organisation_id = holdfast.organisation() and here.realm = holdfast.realm()
        and here.source_id = up.source_id and here.item_key = up.at_key and here.to_point = ${FOREVER}
      where here.parent_key is not null and up.depth < ${MAX_DEPTH} and not ${isApart}),
    shared as (
      select up.source_id, up.item_key, min(array_position(${[...audiences]}::text[], share.audience)) as audience
      from up join compliance_shares share on share.source_id = up.source_id and share.item_key = up.at_key
      group by up.source_id, up.item_key)`;
}

const orders = { audience: 'shared.audience', count: 'found.count', name: 'lower(file.name)' } as const;

interface FoundRow extends PlaceRow {
  readonly size_bytes: number;
  readonly modified_at: Date | null;
  readonly found: SensitiveRow['found'];
  readonly audience: number | null;
}

/** Files that hold personal or payment numbers, what most people can open first. */
export async function sensitivePage(tx: Tx, tenantId: string, query: z.output<typeof sensitiveQuery>) {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof orders>(query.sort, { column: 'audience', isDescending: false });
  const parts = conditions(tenantId, query, 'file');
  if (query.kind !== undefined) parts.push(sql`${query.kind} = any(found.kinds)`);
  if (query.exposed !== undefined) parts.push(query.exposed ? sql`shared.audience is not null` : sql`shared.audience is null`);
  const from = sql`found join compliance_files file using (source_id, item_key) left join shared using (source_id, item_key) ${placeTables}
    where ${sql.join(parts, sql` and `)}`;
  const { rows } = await sql<FoundRow>`${withAudience(tenantId)}
    select ${placeColumns('file')}, file.size_bytes, file.modified_at, found.found, shared.audience from ${from}
    order by ${sql.raw(`${orders[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, found.count desc, source.source_id, file.item_key
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ files: number; exposed: number }>`${withAudience(tenantId)}
    select count(*)::bigint as files, count(shared.audience)::bigint as exposed from ${from}`.execute(tx);
  const placeOf = await placed(tx, rows);
  const items = rows.map((row): SensitiveRow => ({
    ...placeOf(row),
    sizeBytes: row.size_bytes,
    modifiedAt: row.modified_at?.toISOString() ?? null,
    found: row.found,
    audience: row.audience === null ? null : (audiences[row.audience - 1] ?? null),
  }));
  const { files, exposed } = counted.rows[0] ?? { files: 0, exposed: 0 };
  return {
    ...pageFrom(items, files, window),
    totals: { files, exposed, unread: await countUnread(tx, tenantId), ...(await countMessages(tx, tenantId)) },
  };
}

/** Mail and chat messages of a tenant that hold such numbers, each once in a mailbox or chat. */
async function countMessages(tx: Tx, tenantId: string): Promise<{ readonly mails: number; readonly chats: number }> {
  const { rows } = await sql<{ mails: number; chats: number }>`
    with found as materialized (select distinct words.source_id, words.item_key, words.kind
      from (select distinct item_no from search_sensitive) one
      join search_items words on words.organisation_id = holdfast.organisation() and words.realm = holdfast.realm() and words.item_no = one.item_no
      where words.kind in ('email', 'im'))
    select count(*) filter (where found.kind = 'email')::bigint as mails, count(*) filter (where found.kind = 'im')::bigint as chats
    from found join catalog_sources source using (source_id) join resources resource using (organisation_id, realm, resource_id)
    where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm() and resource.tenant_id = ${tenantId}`.execute(
    tx,
  );
  return rows[0] ?? { mails: 0, chats: 0 };
}

/** Live files whose newest version the index has not read. */
async function countUnread(tx: Tx, tenantId: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select (select count(*) from compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
        where source.tenant_id = ${tenantId} and not file.is_deleted)
      - (select count(*) from ${readFiles(tenantId)} where not file.is_deleted)::bigint as unread`.execute(tx);
  return Math.max(0, rows[0]?.unread ?? 0);
}

/**
 * Files with personal or payment numbers, for the dashboard; null before the index has read any file. What has numbers is
 * found first and is little: while tables have no statistics, the planner would join all files with all files.
 */
export async function countSensitive(tx: Tx, tenantId: string): Promise<number | null> {
  const { rows } = await sql<{ files: number; is_read: boolean }>`
    with found as materialized (select distinct words.source_id, words.item_key, words.from_point
      from (select distinct item_no from search_sensitive) one
      join search_items words on words.organisation_id = holdfast.organisation() and words.realm = holdfast.realm() and words.item_no = one.item_no)
    select (select count(distinct (file.source_id, file.item_key)) from found
        join catalog_items item on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
          and item.source_id = found.source_id and item.item_key = found.item_key and item.from_point = found.from_point and item.to_point = ${FOREVER}
        join compliance_files file on file.organisation_id = item.organisation_id and file.realm = item.realm
          and file.source_id = item.source_id and file.item_key = item.item_key
        join compliance_sources source on source.organisation_id = file.organisation_id and source.realm = file.realm
          and source.source_id = file.source_id and source.tenant_id = ${tenantId}
        where not file.is_deleted)::bigint as files,
      exists (select from search_items words join compliance_sources source using (organisation_id, realm, source_id)
        where source.tenant_id = ${tenantId}) as is_read`.execute(tx);
  const [row] = rows;
  return row?.is_read === true ? row.files : null;
}
