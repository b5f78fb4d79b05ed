import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** Names an item of a source. */
export interface ItemPlace {
  readonly sourceId: string;
  readonly itemKey: string;
}

/** Folders can be nested, but a damaged chain must not turn a query into a loop. */
const MAX_DEPTH = 100;

const idOf = ({ sourceId, itemKey }: ItemPlace): string => `${sourceId} ${itemKey}`;

/** The folder of an item, and the names of all folders above it. */
export interface Above {
  readonly folderId: string | null;
  readonly path: string;
}

const atRoot: Above = { folderId: null, path: '' };

/** The folders above each item, by their newest names. */
export async function pathsOf(tx: Tx, places: readonly ItemPlace[]): Promise<(place: ItemPlace) => Above> {
  if (places.length === 0) return () => atRoot;
  const { rows } = await sql<{ source_id: string; item_key: string; folder_id: string | null; path: string | null }>`
    with recursive wanted as (
      select * from unnest(${places.map((one) => one.sourceId)}::uuid[], ${places.map((one) => one.itemKey)}::text[]) as x (source_id, item_key)),
    up (source_id, item_key, at_key, name, depth) as (
      select wanted.source_id, wanted.item_key, wanted.item_key collate "C", null::text, 0 from wanted
      union all
      select up.source_id, up.item_key, above.item_key, above.name, up.depth + 1
      from up cross join lateral (
        select item.parent_key from catalog_items item where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
          and item.source_id = up.source_id and item.item_key = up.at_key order by item.from_point desc limit 1) here
      cross join lateral (
        select item.item_key, item.name from catalog_items item where item.organisation_id = holdfast.organisation()
          and item.realm = holdfast.realm() and item.source_id = up.source_id and item.item_key = here.parent_key
        order by item.from_point desc limit 1) above
      where up.depth < ${MAX_DEPTH})
    select source_id, item_key, max(at_key) filter (where depth = 1) as folder_id,
      string_agg(name, '/' order by depth desc) filter (where name is not null) as path
    from up group by source_id, item_key`.execute(tx);
  const paths = new Map(
    rows.map((row) => [idOf({ sourceId: row.source_id, itemKey: row.item_key }), { folderId: row.folder_id, path: row.path ?? '' }]),
  );
  return (place) => paths.get(idOf(place)) ?? atRoot;
}
