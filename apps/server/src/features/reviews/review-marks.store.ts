import type { ReviewNote, ReviewTag, ReviewTagBody } from '@holdfast/contract/review-marks';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable } from 'kysely';

export type CaseTagRow = Selectable<OrganisationTables['case_tags']>;

/** A content of a set: the item that carries its decision. */
export interface ContentPlace {
  readonly setId: string;
  readonly position: number;
}

/** The tags of a case in the order in which they were added, with how many contents have each. */
export async function tagsOf(tx: Tx, caseId: string): Promise<ReviewTag[]> {
  const { rows } = await sql<ReviewTag>`
    select tag.tag_id as "tagId", tag.name, tag.colour, tag.tag_group as "group",
      (select count(*)::bigint from review_tags given where given.organisation_id = tag.organisation_id and given.realm = tag.realm
        and given.tag_id = tag.tag_id) as contents
    from case_tags tag where tag.case_id = ${caseId} order by tag.created_at, tag.tag_id`.execute(tx);
  return rows;
}

export async function addTag(
  tx: Tx,
  caseId: string,
  { tagId, at, ...body }: ReviewTagBody & { readonly tagId: string; readonly at: Date },
): Promise<void> {
  await tx
    .insertInto('case_tags')
    .values({ tag_id: tagId, case_id: caseId, name: body.name, colour: body.colour, tag_group: body.group, created_at: at })
    .execute();
}

export function readTag(tx: Tx, caseId: string, tagId: string): Promise<CaseTagRow | undefined> {
  return tx.selectFrom('case_tags').selectAll().where('case_id', '=', caseId).where('tag_id', '=', tagId).executeTakeFirst();
}

export async function removeTag(tx: Tx, tagId: string): Promise<void> {
  await tx.deleteFrom('case_tags').where('tag_id', '=', tagId).execute();
}

export async function tagsOn(tx: Tx, { setId, position }: ContentPlace): Promise<string[]> {
  const rows = await tx
    .selectFrom('review_tags')
    .select('tag_id')
    .where('set_id', '=', setId)
    .where('position', '=', position)
    .orderBy('tagged_at')
    .orderBy('tag_id')
    .execute();
  return rows.map((row) => row.tag_id);
}

/** Tags a content; answers whether it had the tag already. */
export async function tagContent(
  tx: Tx,
  place: ContentPlace,
  { tag, tagger, at }: { readonly tag: CaseTagRow; readonly tagger: string; readonly at: Date },
): Promise<boolean> {
  if (tag.tag_group !== '') {
    await sql`delete from review_tags given using case_tags other where given.set_id = ${place.setId} and given.position = ${place.position}
      and other.tag_id = given.tag_id and other.case_id = ${tag.case_id} and other.tag_group = ${tag.tag_group}
      and other.tag_id <> ${tag.tag_id}`.execute(tx);
  }
  const { numInsertedOrUpdatedRows: added } = await tx
    .insertInto('review_tags')
    .values({ set_id: place.setId, position: place.position, tag_id: tag.tag_id, tagger, tagged_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return added === 0n;
}

/** Answers whether there was anything to take. */
export async function untagContent(tx: Tx, { setId, position }: ContentPlace, tagId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('review_tags')
    .where('set_id', '=', setId)
    .where('position', '=', position)
    .where('tag_id', '=', tagId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function notesOn(tx: Tx, { setId, position }: ContentPlace, accountId: string): Promise<ReviewNote[]> {
  const rows = await tx
    .selectFrom('review_notes')
    .select(['note_id', 'text', 'author', 'author_id', 'at'])
    .where('set_id', '=', setId)
    .where('position', '=', position)
    .orderBy('at')
    .orderBy('note_id')
    .execute();
  return rows.map(({ note_id: noteId, author_id: authorId, at, ...note }) => ({
    ...note,
    noteId,
    at: at.toISOString(),
    isOwn: authorId === accountId,
  }));
}

export async function addNote(tx: Tx, row: Insertable<OrganisationTables['review_notes']>): Promise<void> {
  await tx.insertInto('review_notes').values(row).execute();
}

/** Removes a note of somebody; answers whether it was there and theirs. */
export async function removeNote(tx: Tx, { setId, position }: ContentPlace, of: { readonly noteId: string; readonly authorId: string }) {
  const { numDeletedRows } = await tx
    .deleteFrom('review_notes')
    .where('set_id', '=', setId)
    .where('position', '=', position)
    .where('note_id', '=', of.noteId)
    .where('author_id', '=', of.authorId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
