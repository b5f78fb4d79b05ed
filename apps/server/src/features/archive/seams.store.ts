import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { gapDay, NAMED, type ComparedArchive, type ComparedBackup, type Gap } from './completeness.store.ts';

/** How many messages have not been reported yet, for each place that lacks them. */
export interface SeamNews {
  readonly notJournaled: number;
  readonly notCaptured: number;
  readonly notSearchable: number;
}

/** Clocks differ, and mail is under way for a while: what is younger is judged the next time. */
const SETTLED = sql`interval '1 hour'`;

/** The messages of the archive, and who brought them. A message without a word on its origin came from a backup. */
const kept = ({ sourceId }: ComparedArchive): RawBuilder<unknown> => sql`
  select item.item_key, item.modified_at as received_at, item.size_bytes, item.detail #>> '{properties,internetMessageId}' as message_id,
    placed.is_journaled, placed.is_captured, placed.is_draft,
    read.is_whole and not exists (select from search_items found where found.organisation_id = item.organisation_id and found.realm = item.realm
      and found.source_id = item.source_id and found.item_key = item.item_key) as is_lost
  from catalog_items item
  cross join lateral (select coalesce(bool_or(place ->> 'source' = 'journal'), false) as is_journaled,
      coalesce(bool_or(place ->> 'source' is null), false) as is_captured, coalesce(bool_or(place ->> 'isDraft' = 'true'), false) as is_draft
    from json_array_elements(item.detail #> '{properties,placements}') place) placed
  cross join (select exists (select from search_sources known join catalog_sources source using (organisation_id, realm, source_id)
    where source.source_id = ${sourceId} and known.read_through >= source.head_sequence) as is_whole) read
  where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
    and item.source_id = ${sourceId} and item.kind = 'message' and item.to_point = ${FOREVER}`;

/** Everything that backups have ever had of the mailbox, folders that no archive job takes included. */
const had = (sourceIds: readonly string[]): RawBuilder<unknown> => sql`
  select (select content #>> '{ref,sha256}' from json_array_elements(item.detail -> 'contents') content where content ->> 'role' = 'mime' limit 1) as hash,
    item.detail #>> '{properties,internetMessageId}' as message_id
  from catalog_items item where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
    and item.source_id = any(${[...sourceIds]}::uuid[]) and item.kind = 'message'`;

/** From when to when journaling must have brought everything: since its first message, and as long as a receiver is on. */
const journaling = ({ tenantId }: ComparedArchive, at: Date): RawBuilder<unknown> => sql`
  select min(received_at) filter (where is_journaled) as from_at,
    case when exists (select from receivers where tenant_id = ${tenantId} and is_enabled) then ${at}::timestamptz - ${SETTLED}
      else max(received_at) filter (where is_journaled) end as to_at from kept`;

/** From when to when backups must have: since the first point, and until the last reading of which the archive has taken everything. */
const capturing = ({ resourceId }: ComparedArchive, sourceIds: readonly string[]): RawBuilder<unknown> => sql`
  select (select min(point.committed_at) from catalog_points point where point.source_id = any(${[...sourceIds]}::uuid[])) as from_at,
    (select max(reading.started_at) - ${SETTLED} from run_accounts reading
      where reading.resource_id in (select source.resource_id from catalog_sources source where source.source_id = any(${[...sourceIds]}::uuid[]))
        and reading.status in ('successful', 'defective') and reading.ended_at <= (select max(taking.started_at) from run_accounts taking
          join runs run using (organisation_id, realm, run_id)
          where taking.resource_id = ${resourceId} and taking.status in ('successful', 'defective') and run.type = 'archive')) as to_at`;

const isKnown = (from: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(kept.message_id in (select message_id from ${from} and message_id is not null), false)`;

/** Each message that one of the three does not have although it should. The same Message-ID is enough: headers differ by the way a message took. */
const found = sql`
  select item_key, kept.received_at, size_bytes, reason from kept cross join journaling cross join capturing
  cross join lateral (values
    ('notJournaled', is_captured and not is_journaled and not is_draft and kept.received_at > journaling.from_at
      and kept.received_at <= journaling.to_at and not ${isKnown(sql`kept other where other.is_journaled`)}),
    ('notCaptured', is_journaled and not is_captured and kept.received_at > capturing.from_at and kept.received_at <= capturing.to_at
      and item_key not in (select hash from had where hash is not null) and not ${isKnown(sql`had where true`)}),
    ('notSearchable', is_lost)) judged (reason, is_gap)
  where is_gap`;

/**
 * Lets the journal, the backups and the search index of an archive check each other, message by message, and names what one
 * of them does not have. Answers those that were not named before.
 */
export async function compareSeams(
  tx: Tx,
  archive: ComparedArchive,
  backups: readonly ComparedBackup[],
  { at, before }: { readonly at: Date; readonly before: readonly Gap[] },
): Promise<SeamNews> {
  const { sourceId } = archive;
  const sourceIds = [...new Set(backups.map((backup) => backup.sourceId))];
  const { rows } = await sql<SeamNews>`
    with kept as materialized (${kept(archive)}), had as materialized (${had(sourceIds)}), journaling as materialized (${journaling(archive, at)}),
    capturing as materialized (${capturing(archive, sourceIds)}), found as materialized (${found}),
    named as (
      insert into archive_gaps (source_id, message_key, day, reason, received_at, size_bytes)
      select ${sourceId}, item_key, ${gapDay}, reason, received_at, size_bytes from found order by received_at desc nulls last, item_key limit ${NAMED}),
    counted as (
      update archive_days known set not_journaled = days.not_journaled, not_captured = days.not_captured
      from (select ${gapDay} as day, count(*) filter (where reason = 'notJournaled') as not_journaled,
          count(*) filter (where reason = 'notCaptured') as not_captured from found group by 1) days
      where known.source_id = ${sourceId} and known.day = days.day),
    kept_count as (update archive_mailboxes set unmatched = (select count(*) from found) where source_id = ${sourceId}),
    told as (select * from jsonb_to_recordset(${JSON.stringify(before)}::jsonb) as told (key text, reason text))
    select count(*) filter (where reason = 'notJournaled')::int as "notJournaled", count(*) filter (where reason = 'notCaptured')::int as "notCaptured",
      count(*) filter (where reason = 'notSearchable')::int as "notSearchable"
    from found where (item_key, reason) not in (select key, reason from told)`.execute(tx);
  return rows[0] ?? { notJournaled: 0, notCaptured: 0, notSearchable: 0 };
}
