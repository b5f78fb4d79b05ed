import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { firstShown, unreadVersions } from './unread-versions.views.ts';

/** Takes what has lost some of its words out of the index: it is read again as a whole. Answers how many versions. */
async function dropTorn(tx: Tx, sourceId: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from search_items item
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}
      and item.slices <> (select count(*) from search_words words where words.organisation_id = item.organisation_id
        and words.realm = item.realm and words.item_no = item.item_no)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** How many versions of the catalog are not in the index. */
async function missing(tx: Tx, sourceId: string): Promise<number> {
  const { rows } = await sql<{ lost: number }>`
    select count(*)::bigint as lost from ${unreadVersions(sql`array[${sourceId}::uuid]`)} unread join ${firstShown}`.execute(tx);
  return rows[0]?.lost ?? 0;
}

/**
 * Compares what the index has of a source with the catalog, and has what it lost read again. Answers how many versions that
 * are: none for a source with unread commits and whole words, which is being read anyway.
 */
export async function compareSource(tx: Tx, sourceId: string): Promise<number> {
  const source = await tx
    .selectFrom('catalog_sources')
    .select('head_sequence')
    .where('source_id', '=', sourceId)
    .forShare()
    .executeTakeFirst();
  const known = await tx
    .selectFrom('search_sources')
    .select('read_through')
    .where('source_id', '=', sourceId)
    .forUpdate()
    .executeTakeFirst();
  const torn = await dropTorn(tx, sourceId);
  if (!source || !known || known.read_through < source.head_sequence) return torn;
  const lost = await missing(tx, sourceId);
  if (lost > 0) await tx.updateTable('search_sources').set({ read_through: 0 }).where('source_id', '=', sourceId).execute();
  return lost;
}

/** The sources that the index has to do with. */
export async function sourcesToCompare(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.selectFrom('catalog_sources').select('source_id').orderBy('source_id').execute();
  return rows.map((row) => row.source_id);
}

/** Takes the turn of comparing an organisation's index; false where it was compared since a time. */
export async function takeComparison(tx: Tx, before: Date, at: Date): Promise<boolean> {
  const { rows } = await sql`insert into search_comparisons as known (compared_at, lost) values (${at}, 0)
    on conflict (organisation_id, realm) do update set compared_at = excluded.compared_at, lost = 0
    where known.compared_at <= ${before} returning 1`.execute(tx);
  return rows.length > 0;
}

export async function noteLost(tx: Tx, lost: number): Promise<void> {
  await tx
    .updateTable('search_comparisons')
    .set((eb) => ({ lost: eb('lost', '+', lost) }))
    .execute();
}
