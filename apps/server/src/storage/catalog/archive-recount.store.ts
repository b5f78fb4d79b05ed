import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/** The messages of an archive as they are now, all or those that are named. */
const messagesOf = (sourceId: string, keys?: readonly string[]): RawBuilder<unknown> => sql`(
  select size_bytes, modified_at, coalesce((detail #>> '{properties,hasAttachments}')::boolean, false) as has_attachments,
    detail #> '{properties,placements}' as placements
  from catalog_items where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId}
    and kind = 'message' and to_point = ${FOREVER} ${keys === undefined ? sql`` : sql`and item_key = any(${[...keys]})`})`;

const figures = sql`count(*)::bigint as messages, count(*) filter (where has_attachments)::bigint as attachments,
  coalesce(sum(size_bytes), 0)::bigint as bytes`;

/** By month of receipt and by folder: a message counts once in each place where it was. */
const countsOf = (sourceId: string, keys?: readonly string[]): RawBuilder<unknown> => sql`(
  select 'month' as dimension, to_char(modified_at at time zone 'UTC', 'YYYY-MM') as name, ${figures}
    from ${messagesOf(sourceId, keys)} message where modified_at is not null group by 2
  union all
  select 'folder', coalesce(place ->> 'folder', ''), ${figures}
    from ${messagesOf(sourceId, keys)} message cross join json_array_elements(placements) place group by 2)`;

const storedOf = (sourceId: string): RawBuilder<unknown> => sql`(
  select dimension, name, messages, attachments, bytes from archive_counts where organisation_id = holdfast.organisation()
    and realm = holdfast.realm() and source_id = ${sourceId} and dimension in ('month', 'folder'))`;

/** Sets the totals right; answers whether they were wrong. */
async function recountTotals(tx: Tx, sourceId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update archive_mailboxes known set messages = truth.messages, attachments = truth.attachments, bytes = truth.bytes,
      oldest_at = truth.oldest_at, newest_at = truth.newest_at
    from (select ${figures}, min(modified_at) as oldest_at, max(modified_at) as newest_at from ${messagesOf(sourceId)} message) truth
    where known.source_id = ${sourceId} and (known.messages, known.attachments, known.bytes, known.oldest_at, known.newest_at)
      is distinct from (truth.messages, truth.attachments, truth.bytes, truth.oldest_at, truth.newest_at)`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Sets the counters by month and folder right; answers how many were wrong. */
async function recountParts(tx: Tx, sourceId: string): Promise<number> {
  const { rows } = await sql<{ dimension: string; name: string }>`
    select distinct dimension, name from (
      (select * from ${countsOf(sourceId)} truth except select * from ${storedOf(sourceId)} stored)
      union all
      (select * from ${storedOf(sourceId)} stored except select * from ${countsOf(sourceId)} truth)) wrong`.execute(tx);
  if (rows.length === 0) return 0;
  await sql`delete from archive_counts where source_id = ${sourceId} and dimension in ('month', 'folder')`.execute(tx);
  await sql`insert into archive_counts (source_id, dimension, name, messages, attachments, bytes)
    select ${sourceId}, dimension, name, messages, attachments, bytes from ${countsOf(sourceId)} truth`.execute(tx);
  return rows.length;
}

/** Archives that nobody has recounted since a moment. */
export async function archivesToRecount(tx: Tx, since: Date, limit: number): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('archive_mailboxes')
    .select('source_id')
    .where((row) => row.or([row('recounted_at', 'is', null), row('recounted_at', '<', since)]))
    .orderBy('recounted_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
  return rows.map((row) => row.source_id);
}

/**
 * Compares the counters of an archive with what it holds, and sets those right that differ. No commit comes between: it waits for
 * the row of the archive. Answers how many were wrong.
 */
export async function recountArchive(tx: Tx, sourceId: string, at: Date): Promise<number> {
  await sql`select from archive_mailboxes where source_id = ${sourceId} for update`.execute(tx);
  const isWrong = await recountTotals(tx, sourceId);
  const parts = await recountParts(tx, sourceId);
  await tx.updateTable('archive_mailboxes').set({ recounted_at: at }).where('source_id', '=', sourceId).execute();
  return parts + (isWrong ? 1 : 0);
}

/** Takes messages that are about to be erased out of the counters. What was captured by the hour remains as it was. */
export async function uncountMessages(tx: Tx, sourceId: string, keys: readonly string[]): Promise<void> {
  await sql`
    update archive_counts known set messages = known.messages - gone.messages, attachments = known.attachments - gone.attachments,
      bytes = known.bytes - gone.bytes
    from ${countsOf(sourceId, keys)} gone
    where known.source_id = ${sourceId} and known.dimension = gone.dimension and known.name = gone.name`.execute(tx);
  await sql`delete from archive_counts where source_id = ${sourceId} and dimension in ('month', 'folder') and messages <= 0`.execute(tx);
  await sql`
    update archive_mailboxes known set messages = known.messages - gone.messages, attachments = known.attachments - gone.attachments,
      bytes = known.bytes - gone.bytes
    from (select ${figures} from ${messagesOf(sourceId, keys)} message) gone where known.source_id = ${sourceId}`.execute(tx);
}

/** Looks for the oldest and the newest message again, where one of these was erased. */
export async function recountEnds(
  tx: Tx,
  sourceId: string,
  erased: { readonly oldest: Date | null; readonly newest: Date | null },
): Promise<void> {
  await sql`
    update archive_mailboxes known set oldest_at = truth.oldest, newest_at = truth.newest
    from (select min(modified_at) as oldest, max(modified_at) as newest from ${messagesOf(sourceId)} message) truth
    where known.source_id = ${sourceId} and (known.oldest_at >= ${erased.oldest} or known.newest_at <= ${erased.newest})`.execute(tx);
}
