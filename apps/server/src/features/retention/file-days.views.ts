import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { everBelow } from '../../storage/index.ts';
import type { EventDays, SearchedMarks } from './archived-days.views.ts';

/** Which files: of one site or drive, by the sources that keep it; or one item of it, or what ever was in one folder. */
export interface FilesWanted {
  readonly resourceId: string;
  readonly sourceIds: readonly string[];
  readonly policyIds: readonly string[];
  readonly within?: string;
  readonly timeZone: string;
  /** What policies by search are on: see `searchedItems`. What a search finds has nothing in it. */
  readonly searched?: RawBuilder<unknown> | undefined;
}

/** What is the same for versions whose periods end together. */
interface FileFacts {
  readonly received: string;
  /** The policies that they are in the scope of. */
  readonly policies: ReadonlySet<string>;
  readonly events: EventDays;
  /** Of policies by label the day on which theirs was set: see `SearchedMarks`. */
  readonly labelled: SearchedMarks['labelled'];
}

/** Versions of files that were changed last on the same day. */
export interface FileDays extends FileFacts {
  readonly messages: number;
  readonly bytes: number;
}

/** The newest restore point of versions of files, with the day on which the last of them was changed. */
export interface FilePoint extends FileFacts {
  readonly sequence: number;
}

interface FactsRow {
  readonly received: string;
  readonly whole_policies: readonly string[] | null;
  readonly own_policies: readonly string[] | null;
  readonly whole_events: Readonly<Record<string, string>> | null;
  readonly own_events: Readonly<Record<string, string>> | null;
  readonly labelled: Readonly<Record<string, string>> | null;
}

const item = sql`item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()`;

/**
 * Each version of each file as the catalog has it, with the policies it is in the scope of, the events it is concerned by, the
 * day of its last change and the newest restore point that shows it. A file that came with an old date counts from when it
 * came; one without any date from that restore point.
 */
function dated({ resourceId, sourceIds, policyIds, within, timeZone, searched }: FilesWanted): RawBuilder<unknown> {
  const wanted = within === undefined ? sql`` : sql`and (item.source_id, item.item_key) in (select source_id, item_key from inside)`;
  const found =
    searched === undefined
      ? sql`select null::uuid as source_id, null::text as item_key, null::uuid as owner_id, null::timestamptz as labelled_at where false`
      : sql`select source_id, item_key, owner_id, labelled_at from ${searched} searched
          where not deletes and source_id = any(${[...sourceIds]}::uuid[])`;
  return sql`
    with sources as (select unnest(${[...sourceIds]}::uuid[]) as source_id),
    searched as materialized (${found}),
    labels as (select source_id, item_key, jsonb_object_agg(owner_id::text, (at at time zone ${timeZone}::text)::date::text) as labelled
      from (select source_id, item_key, owner_id, max(labelled_at) as at from searched where labelled_at is not null group by 1, 2, 3) latest
      group by source_id, item_key),
    scoped as (select * from ${everBelow(sql`
      select sources.source_id, place.policy_id, place.item_key from retention_policy_places place cross join sources
      where place.resource_id = ${resourceId} and place.policy_id = any(${[...policyIds]}::uuid[])`)} of_policies
      union select source_id, owner_id, item_key from searched),
    struck as (select event.kind, event.happened_on, concerned.source_id, concerned.item_key from ${everBelow(sql`
      select sources.source_id, event.event_id, coalesce(named.item_key, '') from retention_events event cross join sources
      left join retention_event_items named on named.organisation_id = event.organisation_id and named.realm = event.realm
        and named.event_id = event.event_id
      where event.resource_id = ${resourceId}`)} concerned
      join retention_events event on event.organisation_id = holdfast.organisation() and event.realm = holdfast.realm()
        and event.event_id = concerned.owner_id),
    inside as (select * from ${everBelow(sql`select source_id, null::uuid, ${within ?? ''}::text collate "C" from sources`)} of_item),
    covered as (select source_id, item_key, array_agg(owner_id) as policies from scoped group by source_id, item_key),
    happened as (select source_id, item_key, jsonb_object_agg(kind, day) as events
      from (select source_id, item_key, kind, max(happened_on)::text as day from struck group by 1, 2, 3) latest group by source_id, item_key),
    kept as materialized (
      select item.source_id, item.item_key, item.from_point, item.to_point, item.size_bytes,
        greatest(case when item.modified_at >= '1900-01-01' then item.modified_at end,
          case when item.created_at >= '1900-01-01' then item.created_at end) as changed
      from catalog_items item
      where ${item} and item.source_id = any(${[...sourceIds]}::uuid[]) and not item.is_container ${wanted}
        and ((item.source_id, '') in (select source_id, item_key from covered)
          or (item.source_id, item.item_key) in (select source_id, item_key from covered))),
    shown as (
      select span.source_id, span.from_point, span.to_point, newest.sequence, newest.committed_at
      from (select distinct source_id, from_point, to_point from kept) span
      cross join lateral (select point.sequence, point.committed_at from catalog_points point where point.organisation_id = holdfast.organisation()
        and point.realm = holdfast.realm() and point.source_id = span.source_id and point.sequence >= span.from_point
        and point.sequence < span.to_point order by point.sequence desc limit 1) newest),
    dated as (
      select kept.item_key, kept.size_bytes, kept.changed, shown.sequence,
        (coalesce(kept.changed, shown.committed_at) at time zone ${timeZone}::text)::date as received,
        every.policies as whole_policies, own.policies as own_policies, always.events as whole_events, once.events as own_events,
        labels.labelled
      from kept join shown using (source_id, from_point, to_point)
      left join covered every on every.source_id = kept.source_id and every.item_key = ''
      left join covered own on own.source_id = kept.source_id and own.item_key = kept.item_key
      left join happened always on always.source_id = kept.source_id and always.item_key = ''
      left join happened once on once.source_id = kept.source_id and once.item_key = kept.item_key
      left join labels on labels.source_id = kept.source_id and labels.item_key = kept.item_key)`;
}

const facts = sql`whole_policies, own_policies, whole_events, own_events, labelled`;

function factsOf({ received, whole_policies, own_policies, whole_events, own_events, labelled }: FactsRow): FileFacts {
  const events = new Map<string, string>();
  for (const [kind, day] of [...Object.entries(whole_events ?? {}), ...Object.entries(own_events ?? {})]) {
    if (day > (events.get(kind) ?? '')) events.set(kind, day);
  }
  const policies = new Set([...(whole_policies ?? []), ...(own_policies ?? [])]);
  return { received, policies, events, labelled: new Map(Object.entries(labelled ?? {})) };
}

/** The versions of files in the scopes of policies by their days, each once however many locations have it. */
export async function fileDays(tx: Tx, wanted: FilesWanted): Promise<readonly FileDays[]> {
  if (wanted.sourceIds.length === 0) return [];
  const { rows } = await sql<FactsRow & Pick<FileDays, 'messages' | 'bytes'>>`${dated(wanted)}
    select received::text as received, ${facts}, count(*)::bigint as messages, sum(size_bytes)::bigint as bytes
    from (select distinct item_key, size_bytes, changed, received, ${facts} from dated) version
    group by received, ${facts}`.execute(tx);
  return rows.map((row) => ({ ...factsOf(row), messages: row.messages, bytes: row.bytes }));
}

/** The restore points that versions of files in the scopes of policies need: of each version the newest that shows it. */
export async function filePoints(tx: Tx, wanted: FilesWanted): Promise<readonly FilePoint[]> {
  if (wanted.sourceIds.length === 0) return [];
  const { rows } = await sql<FactsRow & Pick<FilePoint, 'sequence'>>`${dated(wanted)}
    select sequence, max(received)::text as received, ${facts} from dated group by sequence, ${facts}`.execute(tx);
  return rows.map((row) => ({ ...factsOf(row), sequence: row.sequence }));
}
