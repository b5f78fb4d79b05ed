import type { Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import { sql } from 'kysely';
import { databaseNow } from '../../platform/database-now.views.ts';
import { heldItems } from '../holds/index.ts';
import { keptVersions } from '../retention/index.ts';
import type { ListedPlace } from './deletion-list.ts';

/** When a version came to be, as policies judge it: one that came with an old date counts from when it came. */
const CHANGED = sql`greatest(case when item.modified_at >= '1900-01-01' then item.modified_at end,
  case when item.created_at >= '1900-01-01' then item.created_at end)`;

interface Asked {
  readonly place: ListedPlace;
  readonly keys: readonly string[];
}

async function tenantOf(tx: Tx, resourceId: string): Promise<string> {
  const row = await tx.selectFrom('resources').select('tenant_id').where('resource_id', '=', resourceId).executeTakeFirstOrThrow();
  return row.tenant_id;
}

/** Of holds on files and folders the names, by item. */
async function heldByName(tx: Tx, { place: { resourceId, locationId }, keys }: Asked): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ item_key: string; names: string[] }>`
    select held.item_key, array_agg(distinct hold.name order by hold.name) as names
    from ${heldItems(await tenantOf(tx, resourceId))} held
    join holds hold on hold.organisation_id = holdfast.organisation() and hold.realm = holdfast.realm() and hold.hold_id = held.owner_id
    join catalog_sources source using (source_id)
    where source.resource_id = ${resourceId} and source.location_id = ${locationId} and held.item_key = any(${[...keys]})
    group by held.item_key`.execute(tx);
  return new Map(rows.map((row) => [row.item_key, row.names]));
}

/** The names of holds that are by search. */
async function searched(tx: Tx, { resourceId }: ListedPlace, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select hold.name from holds hold where hold.tenant_id = ${await tenantOf(tx, resourceId)} and hold.released_at is null
      and hold.search_query is not null and hold.name = any(${[...names]})`.execute(tx);
  return new Set(rows.map((row) => row.name));
}

/**
 * The names of the holds that keep each item of a OneDrive, a site, a team or a chat. One on everything keeps everything, whatever
 * its period; one by search does while it finds anything there; one on files and folders keeps these.
 */
export async function heldHere(
  tx: Tx,
  { holds, ...asked }: Asked & { readonly holds: readonly PointHold[] },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const onItems = holds.filter(({ sequences }) => sequences !== undefined && sequences.size > 0);
  const bySearch = await searched(
    tx,
    asked.place,
    onItems.map(({ name }) => name),
  );
  const whole = [...new Set(holds.filter(({ name, sequences }) => sequences === undefined || bySearch.has(name)).map(({ name }) => name))];
  const byItem = onItems.length > 0 ? await heldByName(tx, asked) : new Map<string, readonly string[]>();
  return new Map(asked.keys.map((key) => [key, [...new Set([...whole, ...(byItem.get(key) ?? [])])]]));
}

/** Those of the items that a policy may keep: a look at all of them at once, before each of these is asked for its end. */
export async function policedHere(
  tx: Tx,
  { place: { resourceId, locationId }, keys, nowMs }: Asked & { readonly nowMs: number | undefined },
): Promise<ReadonlySet<string>> {
  const judgedMs = Math.min(nowMs ?? Infinity, await databaseNow(tx));
  const isKept = await keptVersions(tx, await tenantOf(tx, resourceId), judgedMs);
  const sourceId = sql`item.source_id`;
  const itemKey = sql`item.item_key`;
  const { rows } = await sql<{ item_key: string }>`
    select distinct item.item_key from catalog_items item
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id in (
        select source_id from catalog_sources where resource_id = ${resourceId} and location_id = ${locationId})
      and item.item_key = any(${[...keys]})
      and ${isKept({ sourceId, itemKey, modifiedAt: CHANGED })}`.execute(tx);
  return new Set(rows.map((row) => row.item_key));
}
