import { FOREVER, type Tx } from '@holdfast/database';
import type { CapturePlace } from '@holdfast/engine';
import { sql, type RawBuilder } from 'kysely';

/** An archive, as it is compared with the backups of its mailbox. */
export interface ComparedArchive {
  readonly sourceId: string;
  readonly tenantId: string;
  readonly resourceId: string;
  readonly locationId: string;
  readonly graphId: string;
  readonly name: string;
  readonly cursor: string;
}

/** What came of a comparison. */
export interface MissingMessages {
  readonly missing: number;
  /** Those that were not missing when it was last compared. */
  readonly newlyMissing: number;
}

/** A backup that a job takes into the archive: which folders it leaves out, and how far it got. */
export interface ComparedBackup {
  readonly sourceId: string;
  readonly place: CapturePlace | undefined;
  /** Ids of folders; '' for messages outside of every folder. */
  readonly excluded: readonly string[];
}

/** Messages that are named for one archive at most: the days count them all. */
export const NAMED = 10_000;

/** The archive, locked: no commit comes to it before the transaction has ended. */
export async function lockArchive(tx: Tx, sourceId: string): Promise<ComparedArchive | undefined> {
  await sql`select from archive_mailboxes where source_id = ${sourceId} for update`.execute(tx);
  const found = await tx
    .selectFrom('catalog_sources as source')
    .innerJoin('resources as resource', 'resource.resource_id', 'source.resource_id')
    .select([
      'resource.resource_id',
      'resource.tenant_id',
      'resource.graph_id',
      'resource.name',
      'source.location_id',
      'source.head_cursor',
    ])
    .where('source.source_id', '=', sourceId)
    .executeTakeFirst();
  return (
    found && {
      sourceId,
      tenantId: found.tenant_id,
      resourceId: found.resource_id,
      locationId: found.location_id,
      graphId: found.graph_id,
      name: found.name,
      cursor: found.head_cursor,
    }
  );
}

/** In which folders a backup has ever seen messages; '' for none. */
export async function foldersWithMessages(tx: Tx, sourceId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ folder: string }>`
    select distinct coalesce(parent_key, '') as folder from catalog_items
    where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId} and kind = 'message'`.execute(
    tx,
  );
  return rows.map(({ folder }) => folder);
}

const coversOf = (backups: readonly ComparedBackup[]): RawBuilder<unknown> => {
  const covers = backups.map(({ sourceId, place, excluded }) => ({
    source_id: sourceId,
    sequence: place?.sequence ?? 0,
    key: place?.key ?? '',
    excluded,
  }));
  return sql`select * from jsonb_to_recordset(${JSON.stringify(covers)}::jsonb) as cover (source_id uuid, sequence bigint, key text, excluded text[])`;
};

/** Every version of a message that a job takes, and whether a run has passed it. */
const stored = sql`
  select item.source_id, item.item_key, item.from_point, item.modified_at, item.size_bytes, cover.is_passed,
    (select content #>> '{ref,sha256}' from json_array_elements(item.detail -> 'contents') content where content ->> 'role' = 'mime' limit 1) as hash
  from catalog_items item
  cross join lateral (select bool_or((item.from_point, item.item_key) <= (one.sequence, one.key)) as is_passed
    from covers one where one.source_id = item.source_id and coalesce(item.parent_key, '') <> all(one.excluded)) cover
  where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.kind = 'message'
    and item.source_id in (select source_id from covers) and cover.is_passed is not null`;

/** The messages of the archive as it is now. */
const kept = (sourceId: string): RawBuilder<unknown> => sql`
  select item.item_key, item.modified_at, item.size_bytes,
    exists (select from json_array_elements(item.detail #> '{properties,placements}') place where place ->> 'source' = 'journal') as is_journaled,
    exists (select from search_items found where found.organisation_id = item.organisation_id and found.realm = item.realm
      and found.source_id = item.source_id and found.item_key = item.item_key) as is_searchable
  from catalog_items item where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
    and item.source_id = ${sourceId} and item.kind = 'message' and item.to_point = ${FOREVER}`;

/** Each message of the backups or of the archive once, and why it is not in the archive. */
const compared = ({ resourceId, locationId }: ComparedArchive): RawBuilder<unknown> => sql`
  select coalesce(kept.item_key, had.hash) as message_key, coalesce(kept.modified_at, had.modified_at) as received_at,
    coalesce(kept.size_bytes, had.size_bytes) as size_bytes, had.hash is not null as in_backups, kept.item_key is not null as is_archived,
    coalesce(kept.is_journaled, false) as is_journaled, coalesce(kept.is_searchable, false) as is_searchable,
    case when kept.item_key is not null then null when gone.message_id is not null then 'erased'
      when had.is_passed then 'missing' else 'waiting' end as reason
  from (select hash, min(modified_at) as modified_at, max(size_bytes) as size_bytes, bool_or(is_passed) as is_passed
      from stored where hash is not null group by hash) had
    full join kept on kept.item_key = had.hash
    left join tombstones gone on gone.organisation_id = holdfast.organisation() and gone.realm = holdfast.realm()
      and gone.resource_id = ${resourceId} and gone.location_id = ${locationId} and gone.message_id = had.hash
  union all
  select item_key, min(modified_at), max(size_bytes), true, false, false, false, 'withoutOriginal'
  from (select distinct on (source_id, item_key) item_key, hash, modified_at, size_bytes
      from stored order by source_id, item_key, from_point desc) newest
  group by item_key having bool_and(hash is null)`;

/** The day of receipt of a message that is named. */
export const gapDay = sql`coalesce(to_char(received_at at time zone 'UTC', 'YYYY-MM-DD'), '')`;

/** A message that was named, and why. */
export interface Gap {
  readonly key: string;
  readonly reason: string;
}

/** What was named, and nothing of the last comparison any more. */
export async function forgetLast(tx: Tx, sourceId: string): Promise<readonly Gap[]> {
  await tx.deleteFrom('archive_days').where('source_id', '=', sourceId).execute();
  const rows = await tx.deleteFrom('archive_gaps').where('source_id', '=', sourceId).returning(['message_key', 'reason']).execute();
  return rows.map(({ message_key: key, reason }) => ({ key, reason }));
}

/** Compares an archive with backups, message by message, and keeps what came of it. */
export async function compareWithBackups(
  tx: Tx,
  archive: ComparedArchive,
  backups: readonly ComparedBackup[],
  { at, before }: { readonly at: Date; readonly before: readonly Gap[] },
): Promise<MissingMessages> {
  const { sourceId } = archive;
  const told = before.filter(({ reason }) => reason === 'missing').map(({ key }) => key);
  const { rows } = await sql<MissingMessages>`
    with covers as materialized (${coversOf(backups)}), stored as materialized (${stored}), kept as materialized (${kept(sourceId)}),
    compared as materialized (${compared(archive)}),
    named as (
      insert into archive_gaps (source_id, message_key, day, reason, received_at, size_bytes)
      select ${sourceId}, message_key, ${gapDay}, reason, received_at, size_bytes from compared where reason in ('missing', 'withoutOriginal')
      order by received_at desc nulls last, message_key limit ${NAMED}),
    counted as (
      insert into archive_days (source_id, day, in_backups, archived, journaled, not_searchable, missing, waiting, without_original, erased)
      select ${sourceId}, ${gapDay}, count(*) filter (where in_backups), count(*) filter (where is_archived), count(*) filter (where is_journaled),
        count(*) filter (where is_archived and not is_searchable), count(*) filter (where reason = 'missing'),
        count(*) filter (where reason = 'waiting'), count(*) filter (where reason = 'withoutOriginal'), count(*) filter (where reason = 'erased')
      from compared group by 2 returning missing)
    update archive_mailboxes set compared_at = ${at}, missing = (select coalesce(sum(missing), 0) from counted)
    where source_id = ${sourceId} returning missing, (select count(*) from compared where reason = 'missing'
      and message_key not in (select unnest(${told}::text[]))) as "newlyMissing"`.execute(tx);
  return rows[0] ?? { missing: 0, newlyMissing: 0 };
}

/** Archives that were last compared before a moment, or that had gaps then and have taken in something since. */
export async function archivesToCompare(tx: Tx, before: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ source_id: string }>`
    select source_id from archive_mailboxes
    where compared_at is null or compared_at < ${before} or (missing > 0 and captured_at > compared_at)
    order by compared_at nulls first limit ${limit}`.execute(tx);
  return rows.map(({ source_id }) => source_id);
}

/** The archives of a mailbox, one in each location that has any. */
export async function archivesOfMailbox(tx: Tx, tenantId: string, resourceId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ source_id: string }>`
    select counted.source_id from archive_mailboxes counted join catalog_sources source using (organisation_id, realm, source_id)
      join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and resource.resource_id = ${resourceId} and resource.kind = 'archive'
    order by counted.source_id`.execute(tx);
  return rows.map(({ source_id }) => source_id);
}
