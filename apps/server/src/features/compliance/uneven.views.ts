import { FOREVER, type Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { accessOf, type Permission } from './scan-facts.ts';

/** Folders can be nested, but a damaged chain must not turn a query into a loop. */
const MAX_DEPTH = 100;

interface NearestRow {
  readonly content: string;
  readonly permissions: readonly Permission[] | null;
}

const listed = sql`(here.detail -> 'properties' -> 'permissions')`;

/**
 * The contents of which the copies in one site can be opened by different people. Microsoft 365 lists rights only where somebody
 * has given some, but there all that count: the nearest list above a file decides.
 */
export async function unevenOf(tx: Tx, tenantId: string, contents: readonly string[]): Promise<ReadonlySet<string>> {
  if (contents.length === 0) return new Set();
  const { rows } = await sql<NearestRow>`
    with recursive copy as (
      select encode(file.content, 'hex') as content, file.source_id, file.item_key
      from compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
      where source.tenant_id = ${tenantId} and not file.is_deleted
        and file.content in (select decode(one, 'hex') from unnest(${contents}::text[]) as one)),
    up (content, source_id, item_key, parent_key, permissions, depth) as (
      select copy.content, copy.source_id, copy.item_key, here.parent_key, ${listed}, 0
      from copy join catalog_items here on here.organisation_id = holdfast.organisation() and here.realm = holdfast.realm()
        and here.source_id = copy.source_id and here.item_key = copy.item_key and here.to_point = ${FOREVER}
      union all
      select up.content, up.source_id, up.item_key, here.parent_key, ${listed}, up.depth + 1
      from up join catalog_items here on here.organisation_id = holdfast.organisation() and here.realm = holdfast.realm()
        and here.source_id = up.source_id and here.item_key = up.parent_key and here.to_point = ${FOREVER}
      where coalesce(json_array_length(up.permissions), 0) = 0 and up.depth < ${MAX_DEPTH}),
    nearest as (select distinct on (content, source_id, item_key) content, permissions from up
      order by content, source_id, item_key, depth desc)
    select content, permissions from nearest`.execute(tx);
  const ways = Map.groupBy(rows, (row) => row.content);
  return new Set(
    [...ways].filter(([, copies]) => new Set(copies.map((copy) => accessOf(copy.permissions ?? []))).size > 1).map(([content]) => content),
  );
}
