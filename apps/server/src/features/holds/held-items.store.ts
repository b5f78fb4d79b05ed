import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { KeptPlace } from '../../storage/index.ts';
import { guardedItems, isOfItems } from '../marks/index.ts';

/** The versions of an item of `alias`, each looked up by its key: without statistics a join would compare every item with every other one. */
export function versionsOf(alias: string): RawBuilder<unknown> {
  return sql`(select version.* from catalog_items version where version.organisation_id = holdfast.organisation()
    and version.realm = holdfast.realm() and version.source_id = ${sql.ref(`${alias}.source_id`)}
    and version.item_key = ${sql.ref(`${alias}.item_key`)} offset 0)`;
}

/** What holds name themselves or have found in a source: holds and keys of items, those in named folders left out. */
export function namedIn(sourceId: string): RawBuilder<unknown> {
  return sql`(select hold_id, item_key from hold_items union all select hold_id, item_key from hold_hits where source_id = ${sourceId})`;
}

/** Whether a hold is on anything of the resources for which `isOne` is true. */
export function isAnythingHeld(
  tenantId: RawBuilder<unknown>,
  isOne: (resourceId: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select from holds hold where hold.tenant_id = ${tenantId} and hold.released_at is null
    and case when hold.search_query is null then hold.resource_id is null or ${isOne(sql`hold.resource_id`)}
      else exists (select from hold_hits hit join catalog_sources hit_source using (organisation_id, realm, source_id)
        where hit.organisation_id = hold.organisation_id and hit.realm = hold.realm and hit.hold_id = hold.hold_id
          and ${isOne(sql`hit_source.resource_id`)}) end)`;
}

/** Whether a hold is on everything of a resource. */
export function isWholeHeld(tenantId: string, resourceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from holds hold where hold.tenant_id = ${tenantId} and hold.released_at is null
    and (hold.resource_id is null or hold.resource_id = ${resourceId}) and not ${isOfItems})`;
}

/** What a hold is on, for lists that join `hold` and `resource`: the search, or the name of the resource and the first files and folders that the hold names. */
export const heldPlaceName = sql<string | null>`coalesce(hold.search_name, resource.name || coalesce((
  select ': ' || string_agg(case when first.place <= 3 then first.name else '…' end, ', ' order by first.place)
  from (select named.name, row_number() over (order by named.is_container desc, lower(named.name), named.item_key) as place from hold_items named
    where named.organisation_id = hold.organisation_id and named.realm = hold.realm and named.hold_id = hold.hold_id limit 4) first), ''))`;

/**
 * The points of a location that holds on items need, by hold: of each version of a held item the newest point that shows
 * it. The others of the version add nothing, and retention may delete them. What no search has looked at is held by all of them.
 */
export async function pointsOfItems(
  tx: Tx,
  { resourceId, locationId }: KeptPlace,
  holds: { readonly ids: readonly string[]; readonly bySearch: readonly string[]; readonly unread: RawBuilder<unknown> },
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  if (holds.ids.length === 0) return new Map();
  const isHere = sql`source.resource_id = ${resourceId} and source.location_id = ${locationId}`;
  const held = sql`(select * from ${guardedItems(sql`${isHere} and hold.hold_id = any(${[...holds.ids]}::uuid[])`)} known
    union select source.source_id, by_search.hold_id, unread.item_key from unnest(${[...holds.bySearch]}::uuid[]) by_search (hold_id)
    cross join ${holds.unread} unread join catalog_sources source using (source_id) where ${isHere})`;
  const { rows } = await sql<{ hold_id: string; sequence: number }>`
    select distinct shown.owner_id as hold_id, needed.sequence from (
      select distinct held.source_id, held.owner_id, item.from_point, item.to_point from ${held} held
      cross join lateral ${versionsOf('held')} item) shown
    cross join lateral (select point.sequence from catalog_points point where point.organisation_id = holdfast.organisation()
      and point.realm = holdfast.realm() and point.source_id = shown.source_id and point.sequence >= shown.from_point
      and point.sequence < shown.to_point order by point.sequence desc limit 1) needed`.execute(tx);
  const found = new Map(holds.ids.map((holdId) => [holdId, new Set<number>()]));
  for (const { hold_id, sequence } of rows) found.get(hold_id)?.add(sequence);
  return found;
}

/** Those of the items that a restore point of the resource has, wherever it is kept, under the names they had last. */
export async function itemsOf(tx: Tx, resourceId: string, keys: readonly string[]) {
  const { rows } = await sql<{ item_key: string; name: string; is_container: boolean }>`
    select distinct on (item.item_key) item.item_key, item.name, item.is_container from catalog_sources source
    join catalog_items item using (organisation_id, realm, source_id)
    where source.resource_id = ${resourceId} and item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
      and item.item_key = any(${[...keys]})
    order by item.item_key, item.from_point desc`.execute(tx);
  return rows;
}
