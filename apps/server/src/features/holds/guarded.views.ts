import type { GuardedByHold } from '@holdfast/contract/holds';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { heldItems, isOfItems } from '../marks/index.ts';
import { versionsOf } from './held-items.store.ts';

/** Resources that a hold names and no restore point stands for, by name: enough to see what is meant. */
const NAMED = 20;

/** What holds on files and folders, and holds by search, guard: of each version of what they name, the newest restore point that shows it. */
async function guardedItems(tx: Tx, tenantId: string): Promise<GuardedByHold[]> {
  const { rows } = await sql<GuardedByHold>`
    with shown as materialized (
      select held.owner_id as hold_id, held.source_id, item.item_key, item.is_container, item.size_bytes, item.from_point, item.to_point
      from ${heldItems(tenantId)} held
      cross join lateral ${versionsOf('held')} item
    ), needed as (
      select span.hold_id, count(distinct (span.source_id, newest.sequence))::bigint as points
      from (select distinct hold_id, source_id, from_point, to_point from shown) span
      cross join lateral (select max(point.sequence) as sequence from catalog_points point where point.organisation_id = holdfast.organisation()
        and point.realm = holdfast.realm() and point.source_id = span.source_id and point.sequence >= span.from_point
        and point.sequence < span.to_point) newest
      group by span.hold_id
    ), totals as (
      select hold_id, count(distinct item_key) filter (where not is_container)::bigint as items,
        coalesce(sum(size_bytes) filter (where not is_container), 0)::bigint as bytes
      from shown group by hold_id
    ), missed as (
      select named.hold_id, count(*)::bigint as unreached, (array_agg(named.name order by named.name))[1:${sql.raw(String(NAMED))}] as names
      from hold_items named
      where not exists (select from shown where shown.hold_id = named.hold_id and shown.item_key = named.item_key)
      group by named.hold_id
    )
    select hold.hold_id as "holdId", (select count(distinct source.resource_id) from catalog_sources source
        where source.source_id in (select shown.source_id from shown where shown.hold_id = hold.hold_id))::bigint as resources, coalesce(needed.points, 0)::bigint as points,
      coalesce(totals.items, 0)::bigint as items, coalesce(totals.bytes, 0)::bigint as bytes,
      coalesce(missed.unreached, 0)::bigint as unreached, coalesce(missed.names, '{}') as "unreachedNames"
    from holds hold
    left join needed on needed.hold_id = hold.hold_id
    left join totals on totals.hold_id = hold.hold_id
    left join missed on missed.hold_id = hold.hold_id
    where hold.tenant_id = ${tenantId} and hold.released_at is null and ${isOfItems}
    order by hold.placed_at desc, hold.hold_id`.execute(tx);
  return rows;
}

/** What the holds in force of a tenant guard now. */
export async function guardedByHolds(tx: Tx, tenantId: string): Promise<GuardedByHold[]> {
  return [...(await guardedPlaces(tx, tenantId)), ...(await guardedItems(tx, tenantId))];
}

/**
 * What each hold on resources and periods guards now. A period guards more than the points made in it, as `heldBy` of the engine says: the one
 * before it, which has what was there when it began, and the one after it, which has what came before it ended.
 */
async function guardedPlaces(tx: Tx, tenantId: string): Promise<GuardedByHold[]> {
  const { rows } = await sql<GuardedByHold>`
    with reached as (
      select hold.hold_id, hold.from_at, hold.to_at, resource.organisation_id, resource.realm, resource.resource_id, resource.name
      from holds hold
      join resources resource on resource.organisation_id = hold.organisation_id and resource.realm = hold.realm
        and resource.tenant_id = hold.tenant_id and (hold.resource_id is null or resource.resource_id = hold.resource_id)
      where hold.tenant_id = ${tenantId} and hold.released_at is null and not ${isOfItems}
    ), spans as (
      select reached.hold_id, reached.resource_id, source.organisation_id, source.realm, source.source_id,
        coalesce(max(point.sequence) filter (where point.committed_at < reached.from_at), min(point.sequence)) as low,
        coalesce(min(point.sequence) filter (where point.committed_at > reached.to_at), max(point.sequence)) as high
      from reached
      join catalog_sources source using (organisation_id, realm, resource_id)
      join catalog_points point using (organisation_id, realm, source_id)
      group by reached.hold_id, reached.resource_id, source.organisation_id, source.realm, source.source_id
    ), guarded as (
      select span.hold_id, span.resource_id, kept.points, held.items, held.bytes
      from spans span
      cross join lateral (select count(*)::bigint as points from catalog_points point
        where point.organisation_id = span.organisation_id and point.realm = span.realm and point.source_id = span.source_id
          and point.sequence between span.low and span.high) kept
      cross join lateral (select count(distinct item.item_key)::bigint as items, coalesce(sum(item.size_bytes), 0)::bigint as bytes
        from catalog_items item
        where item.organisation_id = span.organisation_id and item.realm = span.realm and item.source_id = span.source_id
          and not item.is_container and item.from_point <= span.high and item.to_point > span.low) held
      where kept.points > 0
    ), totals as (
      select hold_id, count(distinct resource_id)::bigint as resources, sum(points)::bigint as points, sum(items)::bigint as items,
        sum(bytes)::bigint as bytes
      from guarded group by hold_id
    ), missed as (
      select reached.hold_id, count(*)::bigint as unreached, (array_agg(reached.name order by reached.name))[1:${sql.raw(String(NAMED))}] as names
      from reached
      where not exists (select from guarded where guarded.hold_id = reached.hold_id and guarded.resource_id = reached.resource_id)
      group by reached.hold_id
    )
    select hold.hold_id as "holdId", coalesce(totals.resources, 0)::bigint as resources, coalesce(totals.points, 0)::bigint as points,
      coalesce(totals.items, 0)::bigint as items, coalesce(totals.bytes, 0)::bigint as bytes,
      coalesce(missed.unreached, 0)::bigint as unreached, coalesce(missed.names, '{}') as "unreachedNames"
    from holds hold
    left join totals on totals.hold_id = hold.hold_id
    left join missed on missed.hold_id = hold.hold_id
    where hold.tenant_id = ${tenantId} and hold.released_at is null and not ${isOfItems}
    order by hold.placed_at desc, hold.hold_id`.execute(tx);
  return rows;
}
