import type { ReviewSample } from '@holdfast/contract/review-values';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { hitsOf, type SearchPlace } from '../search/index.ts';

export type ReviewSetRow = Selectable<OrganisationTables['review_sets']>;
type NewReviewSet = Insertable<OrganisationTables['review_sets']>;

/** What is frozen: columns that a set keeps of an item. */
const KEPT = sql`source_id, resource_id, item_key, from_point, content_hash, at, size_bytes`;

/** What some queries find together, each item once in the newest of its versions. */
export function foundBy(places: readonly SearchPlace[]): RawBuilder<unknown> {
  const found = places.map((place) => sql`select ${KEPT} from ${hitsOf(place)} hit`);
  return sql`(select distinct on (source_id, item_key) ${KEPT} from (${sql.join(found, sql` union all `)}) found
    order by source_id, item_key, from_point desc)`;
}

/** What nobody has decided about in another set. */
export function unreviewedIn(setId: string): RawBuilder<unknown> {
  return sql`(select ${KEPT} from review_items where set_id = ${setId} and status = 'unreviewed')`;
}

/** The order of hashes is that of nobody's choice, and the same each time. */
function drawn(sample: ReviewSample | null, most: number): RawBuilder<unknown> {
  if (sample === null) return sql`limit ${most}`;
  return sql`order by md5(${sample.seed} || ' ' || source_id::text || ' ' || item_key), source_id, item_key limit ${sample.size}`;
}

/**
 * Freezes what a relation names into the items of a set, newest first, in one statement: all of it is there or none. Answers
 * how many there were to draw from and how many are in the set; without a sample at most one more than `most`.
 */
export async function freezeItems(
  tx: Tx,
  setId: string,
  { chosen, sample, most }: { readonly chosen: RawBuilder<unknown>; readonly sample: ReviewSample | null; readonly most: number },
): Promise<{ readonly population: number; readonly items: number }> {
  const { rows } = await sql<{ population: number; items: number }>`
    with whole as materialized (select * from ${chosen} chosen),
    part as (select * from whole ${drawn(sample, most + 1)}),
    placed as (select part.*, (row_number() over (order by at desc, source_id, item_key))::int as position from part),
    kept as (insert into review_items (set_id, position, copy_of, ${KEPT})
      select ${setId}::uuid, position, min(position) over (partition by coalesce(content_hash, ' ' || position)), ${KEPT}
      from placed returning position)
    select (select count(*) from whole)::bigint as population, (select count(*) from kept)::bigint as items`.execute(tx);
  return rows[0] ?? { population: 0, items: 0 };
}

export async function addSet(tx: Tx, row: NewReviewSet): Promise<void> {
  await tx.insertInto('review_sets').values(row).execute();
}

export async function setSize(tx: Tx, setId: string, size: { readonly population: number; readonly items: number }): Promise<void> {
  await tx.updateTable('review_sets').set(size).where('set_id', '=', setId).execute();
}

/** Nobody else changes the set until the transaction ends. */
export async function lockSet(tx: Tx, setId: string): Promise<void> {
  await tx.selectFrom('review_sets').select('set_id').where('set_id', '=', setId).forUpdate().execute();
}

/** The run that looks for the threads of a set from now on. */
export async function setThreadsRun(tx: Tx, setId: string, runId: string): Promise<void> {
  await tx.updateTable('review_sets').set({ threads_run_id: runId }).where('set_id', '=', setId).execute();
}

export function setsOf(tx: Tx, caseId: string): Promise<ReviewSetRow[]> {
  return tx
    .selectFrom('review_sets')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('created_at', 'desc')
    .orderBy('set_id', 'desc')
    .execute();
}

export function readSet(tx: Tx, caseId: string, setId: string): Promise<ReviewSetRow | undefined> {
  return tx.selectFrom('review_sets').selectAll().where('case_id', '=', caseId).where('set_id', '=', setId).executeTakeFirst();
}

/** The item that carries the decision about a content. */
export function readHead(tx: Tx, setId: string, position: number) {
  return tx
    .selectFrom('review_items')
    .select(['position', 'status', 'revision'])
    .where('set_id', '=', setId)
    .where('position', '=', position)
    .whereRef('copy_of', '=', 'position')
    .executeTakeFirst();
}

/** Decides about a content and its copies. Answers how many there are; 0 when somebody else has decided since `revision`. */
export async function decide(
  tx: Tx,
  setId: string,
  made: Pick<Selectable<OrganisationTables['review_items']>, 'position' | 'revision' | 'status' | 'reviewer' | 'reviewed_at'>,
): Promise<number> {
  const { position, revision, status, reviewer, reviewed_at } = made;
  const head = await tx
    .updateTable('review_items')
    .set({ status, reviewer, reviewed_at, revision: revision + 1 })
    .where('set_id', '=', setId)
    .where('position', '=', position)
    .where('revision', '=', revision)
    .returning('position')
    .executeTakeFirst();
  if (!head) return 0;
  const copies = await tx
    .updateTable('review_items')
    .set({ status, reviewer, reviewed_at, revision: revision + 1 })
    .where('set_id', '=', setId)
    .where('copy_of', '=', position)
    .where('position', '<>', position)
    .executeTakeFirst();
  return 1 + Number(copies.numUpdatedRows);
}
