import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/** Messages that came on the same days in the same restore point: a period ends for all of them at once. */
export interface ArchivedDays {
  readonly archived: string;
  readonly received: string;
  /** The first restore point that has them. */
  readonly firstPoint: number;
  readonly messages: number;
  readonly bytes: number;
}

/** The latest day of each kind of event that concerns something. */
export type EventDays = ReadonlyMap<string, string>;

/** Which messages: of one mailbox, by the sources that have its archive. */
export interface ArchivedWanted {
  readonly sourceIds: readonly string[];
  readonly timeZone: string;
  /** Some of them alone. */
  readonly messageIds?: readonly string[];
}

/** Messages with the moments that their periods count from, as `messages` of a query. */
function datedMessages(sourceIds: readonly string[], wanted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with found as materialized (
      select item.source_id, item.item_key, min(item.from_point) as first_point, max(item.size_bytes) as bytes,
        max(case when item.modified_at < '1900-01-01' then null
          when item.modified_at is distinct from item.created_at then item.modified_at
          when item.detail -> 'properties' ->> 'receivedBy' is distinct from 'date' then item.modified_at end) as received
      from catalog_items item
      where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = any(${[...sourceIds]}::uuid[]) and item.kind = 'message' ${wanted}
      group by item.source_id, item.item_key
    ), dated as (
      select first.source_id, first.first_point, coalesce((select min(point.committed_at) from catalog_points point
        where point.organisation_id = holdfast.organisation() and point.realm = holdfast.realm()
          and point.source_id = first.source_id and point.sequence >= first.first_point), now()) as archived
      from (select distinct source_id, first_point from found) first
    ), messages as (
      select found.item_key, min(found.first_point) as first_point, max(found.bytes) as bytes, max(found.received) as received,
        min(dated.archived) as archived
      from found join dated using (source_id, first_point)
      group by found.item_key
    )`;
}

const dayOf = (moment: RawBuilder<unknown>, timeZone: string): RawBuilder<unknown> =>
  sql`(${moment} at time zone ${timeZone}::text)::date::text`;

/**
 * The messages of an archived mailbox by their days, each message once however many locations have it. When its sender
 * claims to have sent it counts for nothing: a file without any other date was received when it was archived, and so was
 * what the service gives the year 1 for want of a time.
 */
export async function archivedDays(tx: Tx, { sourceIds, timeZone, messageIds }: ArchivedWanted): Promise<readonly ArchivedDays[]> {
  if (sourceIds.length === 0) return [];
  const { rows } = await sql<ArchivedDays>`
    ${datedMessages(sourceIds, messageIds === undefined ? sql`` : sql`and item.item_key = any(${[...messageIds]})`)}
    select ${dayOf(sql`archived`, timeZone)} as archived, ${dayOf(sql`coalesce(received, archived)`, timeZone)} as received,
      first_point as "firstPoint", count(*)::bigint as messages, sum(bytes)::bigint as bytes
    from messages group by 1, 2, 3`.execute(tx);
  return rows;
}

/** The days of one message. */
export interface MessageDays extends Pick<ArchivedDays, 'archived' | 'received'> {
  readonly messageId: string;
  /** Whether it says when it was received; else that is when it was stored. */
  readonly isReceived: boolean;
}

/** The days of each of some messages of a mailbox. */
export async function daysOfMessages(
  tx: Tx,
  { sourceIds, messageIds, timeZone }: ArchivedWanted & { readonly messageIds: readonly string[] },
): Promise<readonly MessageDays[]> {
  const { rows } = await sql<MessageDays>`
    ${datedMessages(sourceIds, sql`and item.item_key = any(${[...messageIds]})`)}
    select item_key as "messageId", received is not null as "isReceived", ${dayOf(sql`archived`, timeZone)} as archived,
      ${dayOf(sql`coalesce(received, archived)`, timeZone)} as received from messages`.execute(tx);
  return rows;
}
