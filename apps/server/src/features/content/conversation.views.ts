import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { WantedItem } from './content-tickets.store.ts';

/** A message of a chat or channel, where it is kept. */
export interface SaidPlace {
  readonly locationId: string;
  readonly sourceId: string;
  readonly resourceId: string;
  readonly resourceName: string;
  readonly key: string;
  readonly kind: string;
  readonly parentKey: string | null;
  /** The segment that brought the version. */
  readonly version: number;
  readonly at: Date | null;
}

/** A message around another one, in its newest kept version. */
export interface KeptMessage {
  readonly key: string;
  readonly version: number;
  readonly at: Date | null;
  /** It is no longer in Microsoft 365. */
  readonly isRemoved: boolean;
}

/** The restore points that are kept of a source. */
export interface KeptPoints {
  readonly oldestAt: Date;
  readonly newestAt: Date;
}

const inSource = (sourceId: string): RawBuilder<unknown> =>
  sql`item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}`;

/** When something was said: a reaction or an edit is later. */
const said = sql`coalesce(item.created_at, item.modified_at)`;

/** An item as it was at a restore point, the newest one by default; undefined where none that is kept shows that version. */
export async function placeOf(tx: Tx, wanted: WantedItem): Promise<SaidPlace | undefined> {
  const { tenantId, locationId, sourceId, nodeId, sequence = null } = wanted;
  const { rows } = await sql<SaidPlace>`
    select source.location_id as "locationId", source.source_id as "sourceId", resource.resource_id as "resourceId",
      resource.name as "resourceName", item.item_key as key, item.kind, item.parent_key as "parentKey", item.from_point as version,
      ${said} as at
    from catalog_sources source
    join resources resource using (organisation_id, realm, resource_id)
    join lateral (select coalesce(${sequence}::bigint, max(point.sequence)) as sequence from catalog_points point
      where point.organisation_id = source.organisation_id and point.realm = source.realm and point.source_id = source.source_id) asked on true
    join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm
      and item.source_id = source.source_id and item.item_key = ${nodeId} and item.from_point <= asked.sequence
      and item.to_point > asked.sequence
      and exists (select from catalog_points point where point.organisation_id = item.organisation_id and point.realm = item.realm
        and point.source_id = item.source_id and point.sequence >= item.from_point and point.sequence < item.to_point)
    where source.source_id = ${sourceId} and source.location_id = ${locationId} and resource.tenant_id = ${tenantId}`.execute(tx);
  return rows[0];
}

export async function pointsOf(tx: Tx, sourceId: string): Promise<KeptPoints> {
  const { rows } = await sql<KeptPoints>`select min(committed_at) as "oldestAt", max(committed_at) as "newestAt"
    from catalog_points where source_id = ${sourceId}`.execute(tx);
  const [found] = rows;
  if (!found) throw new Error('A message was found that is in no restore point.');
  return found;
}

/** The newest version of each message for which a condition holds, in the order in which they were said. */
async function newestOf(tx: Tx, sourceId: string, condition: RawBuilder<unknown>): Promise<KeptMessage[]> {
  const { rows } = await sql<KeptMessage>`
    select * from (
      select distinct on (item.item_key) item.item_key as key, item.from_point as version, ${said} as at,
        (item.to_point <= newest.sequence or item.detail #>> '{properties,deletedDateTime}' is not null) as "isRemoved"
      from catalog_items item
      cross join (select max(sequence) as sequence from catalog_points where source_id = ${sourceId}) newest
      where ${inSource(sourceId)} and item.from_point <= newest.sequence and ${condition}
      order by item.item_key, item.from_point desc) message
    order by at nulls first, key`.execute(tx);
  return rows;
}

/** What was said in a chat between two times. */
export function saidBetween(tx: Tx, sourceId: string, chatKey: string, { from, to }: { from: Date; to: Date }): Promise<KeptMessage[]> {
  return newestOf(
    tx,
    sourceId,
    sql`item.parent_key = ${chatKey} and item.kind = 'chatMessage' and ${said} >= ${from} and ${said} <= ${to}`,
  );
}

/** A post of a channel and its answers. */
export function threadOf(tx: Tx, sourceId: string, postKey: string): Promise<KeptMessage[]> {
  return newestOf(
    tx,
    sourceId,
    sql`((item.item_key = ${postKey} and item.kind = 'post') or (item.parent_key = ${postKey} and item.kind = 'reply'))`,
  );
}

/** The name of the channel that a thread is in; empty where it is not kept. */
export async function channelOf(tx: Tx, sourceId: string, postKey: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select item.name from catalog_items item where ${inSource(sourceId)} and item.kind = 'channel' and item.item_key = (
      select post.parent_key from catalog_items post where post.organisation_id = item.organisation_id and post.realm = item.realm
        and post.source_id = item.source_id and post.item_key = ${postKey} order by post.from_point desc limit 1)
    order by item.from_point desc limit 1`.execute(tx);
  return rows[0]?.name ?? '';
}
