import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/** Messages that came on the same days in the same restore point: a period ends for all of them at once. */
export interface ArchivedDays extends SearchedMarks {
  readonly archived: string;
  readonly received: string;
  /** The first restore point that has them. */
  readonly firstPoint: number;
  readonly messages: number;
  readonly bytes: number;
}

/** The policies by search that are on messages, by what they do. */
export interface SearchedMarks {
  readonly keeping: ReadonlySet<string>;
  readonly deleting: ReadonlySet<string>;
  /** Of policies by label the day on which theirs was set: `-infinity` where nobody wrote it down, `infinity` while nobody knows the labels. */
  readonly labelled: ReadonlyMap<string, string>;
}

/** The latest day of each kind of event that concerns something. */
export type EventDays = ReadonlyMap<string, string>;

/** Which messages: of one mailbox, by the sources that have its archive. */
export interface ArchivedWanted {
  readonly sourceIds: readonly string[];
  readonly timeZone: string;
  /** Some of them alone. */
  readonly messageIds?: readonly string[];
  /** What policies by search are on: see `searchedItems`. */
  readonly searched?: RawBuilder<unknown> | undefined;
}

interface MarkRows {
  readonly keeping: readonly string[] | null;
  readonly deleting: readonly string[] | null;
  readonly labelled: Readonly<Record<string, string>> | null;
}

const marksOf = ({ keeping, deleting, labelled }: MarkRows): SearchedMarks => ({
  keeping: new Set(keeping),
  deleting: new Set(deleting),
  labelled: new Map(Object.entries(labelled ?? {})),
});

const dayOf = (moment: RawBuilder<unknown>, timeZone: string): RawBuilder<unknown> =>
  sql`(${moment} at time zone ${timeZone}::text)::date::text`;

/** Messages with the moments that their periods count from, as `messages` of a query. */
function datedMessages({ sourceIds, messageIds, searched, timeZone }: ArchivedWanted): RawBuilder<unknown> {
  const wanted = messageIds === undefined ? sql`` : sql`and item.item_key = any(${[...messageIds]})`;
  const marks =
    searched ??
    sql`(select null::uuid as source_id, null::text as item_key, null::uuid as owner_id, false as deletes, null::timestamptz as labelled_at where false)`;
  return sql`
    with marks as (
      select item_key, array_agg(owner_id order by owner_id) filter (where keeps) as keeping,
        array_agg(owner_id order by owner_id) filter (where deletes) as deleting,
        jsonb_object_agg(owner_id, ${dayOf(sql`labelled_at`, timeZone)}) filter (where labelled_at is not null) as labelled
      from (select item_key, owner_id::text as owner_id, bool_or(not deletes) as keeps, bool_or(deletes) as deletes, max(labelled_at) as labelled_at
        from ${marks} searched where source_id = any(${[...sourceIds]}::uuid[]) group by item_key, owner_id) one group by item_key
    ), found as materialized (
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
      select whole.*, marks.keeping, marks.deleting, marks.labelled from (
        select found.item_key, min(found.first_point) as first_point, max(found.bytes) as bytes, max(found.received) as received,
          min(dated.archived) as archived
        from found join dated using (source_id, first_point)
        group by found.item_key) whole
      left join marks using (item_key)
    )`;
}

/**
 * The messages of an archived mailbox by their days, each message once however many locations have it. When its sender
 * claims to have sent it counts for nothing: a file without any other date was received when it was archived, and so was
 * what the service gives the year 1 for want of a time.
 */
export async function archivedDays(tx: Tx, wanted: ArchivedWanted): Promise<readonly ArchivedDays[]> {
  const { sourceIds, timeZone } = wanted;
  if (sourceIds.length === 0) return [];
  const { rows } = await sql<Omit<ArchivedDays, keyof SearchedMarks> & MarkRows>`
    ${datedMessages(wanted)}
    select ${dayOf(sql`archived`, timeZone)} as archived, ${dayOf(sql`coalesce(received, archived)`, timeZone)} as received,
      first_point as "firstPoint", count(*)::bigint as messages, sum(bytes)::bigint as bytes, keeping, deleting, labelled
    from messages group by 1, 2, 3, keeping, deleting, labelled`.execute(tx);
  return rows.map((row) => ({ ...row, ...marksOf(row) }));
}

/** The days of one message. */
export interface MessageDays extends Pick<ArchivedDays, 'archived' | 'received' | keyof SearchedMarks> {
  readonly messageId: string;
  /** Whether it says when it was received; else that is when it was stored. */
  readonly isReceived: boolean;
}

/** The days of each of some messages of a mailbox. */
export async function daysOfMessages(
  tx: Tx,
  wanted: ArchivedWanted & { readonly messageIds: readonly string[] },
): Promise<readonly MessageDays[]> {
  const { timeZone } = wanted;
  const { rows } = await sql<Omit<MessageDays, keyof SearchedMarks> & MarkRows>`
    ${datedMessages(wanted)}
    select item_key as "messageId", received is not null as "isReceived", ${dayOf(sql`archived`, timeZone)} as archived,
      ${dayOf(sql`coalesce(received, archived)`, timeZone)} as received, keeping, deleting, labelled from messages`.execute(tx);
  return rows.map((row) => ({ ...row, ...marksOf(row) }));
}
