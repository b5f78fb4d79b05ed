import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { everBelow, type KeptPlace } from '../../storage/index.ts';

const named = sql`select source.source_id, hold.hold_id, named.item_key from holds hold
  join hold_items named using (organisation_id, realm, hold_id)
  join catalog_sources source on source.organisation_id = hold.organisation_id and source.realm = hold.realm
    and source.resource_id = hold.resource_id`;

/** What holds in force on files and folders guard in a tenant: sources, holds as owners, and keys of items. */
export function heldItems(tenantId: string): RawBuilder<unknown> {
  return everBelow(sql`${named} where hold.tenant_id = ${tenantId} and hold.released_at is null`);
}

/** Whether a hold is on everything of a resource. */
export function isWholeHeld(tenantId: string, resourceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from holds hold where hold.tenant_id = ${tenantId} and hold.released_at is null
    and (hold.resource_id is null or hold.resource_id = ${resourceId})
    and not exists (select from hold_items named where named.organisation_id = hold.organisation_id and named.realm = hold.realm
      and named.hold_id = hold.hold_id))`;
}

/** What a hold is on, for lists that join `hold` and `resource`: the name of the resource, and the first files and folders that the hold names. */
export const heldPlaceName = sql<string | null>`(resource.name || coalesce((
  select ': ' || string_agg(case when first.place <= 3 then first.name else '…' end, ', ' order by first.place)
  from (select named.name, row_number() over (order by named.is_container desc, lower(named.name), named.item_key) as place from hold_items named
    where named.organisation_id = hold.organisation_id and named.realm = hold.realm and named.hold_id = hold.hold_id limit 4) first), ''))`;

/**
 * The points of a location that holds on files and folders need, by hold: of each version of a held item the newest point
 * that shows it. The others of the version add nothing, and retention may delete them.
 */
export async function pointsOfItems(
  tx: Tx,
  { resourceId, locationId }: KeptPlace,
  holdIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  if (holdIds.length === 0) return new Map();
  const ofItems = await tx.selectFrom('hold_items').select('hold_id').distinct().where('hold_id', 'in', holdIds).execute();
  if (ofItems.length === 0) return new Map();
  const held = everBelow(sql`${named} where source.resource_id = ${resourceId} and source.location_id = ${locationId}
    and hold.hold_id = any(${ofItems.map(({ hold_id }) => hold_id)}::uuid[])`);
  const { rows } = await sql<{ hold_id: string; sequence: number }>`
    select distinct shown.owner_id as hold_id, needed.sequence from (
      select distinct held.source_id, held.owner_id, item.from_point, item.to_point from ${held} held
      join catalog_items item on item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = held.source_id and item.item_key = held.item_key) shown
    cross join lateral (select point.sequence from catalog_points point where point.organisation_id = holdfast.organisation()
      and point.realm = holdfast.realm() and point.source_id = shown.source_id and point.sequence >= shown.from_point
      and point.sequence < shown.to_point order by point.sequence desc limit 1) needed`.execute(tx);
  const found = new Map(ofItems.map(({ hold_id }) => [hold_id, new Set<number>()]));
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
