import type { ReviewItem, ReviewStatus } from '@holdfast/contract/review-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { pageFrom, type PageWindow } from '../../http/paging.ts';
import type { CaseScope } from '../cases/index.ts';
import { hitsByNumber } from '../search/index.ts';

/** What of a set is looked at. */
export interface ItemsWanted {
  readonly setId: string;
  readonly scope: CaseScope;
  readonly status?: ReviewStatus | undefined;
  readonly resourceId?: string | undefined;
  readonly reviewer?: string | undefined;
  /** Without mails that another one says whole, as far as that one can be read. */
  readonly readLess?: boolean | undefined;
  readonly thread?: number | undefined;
  readonly position?: number | undefined;
  readonly tagId?: string | undefined;
}

interface Row {
  readonly position: number;
  readonly status: ReviewStatus;
  readonly revision: number;
  readonly reviewer: string | null;
  readonly reviewed_at: Date | null;
  readonly copies: number;
  readonly item_no: number | null;
  readonly is_within: boolean;
  readonly is_in_catalog: boolean;
  readonly thread: ReviewItem['thread'];
  readonly near_copy: ReviewItem['nearCopy'];
  readonly tags: string[];
  readonly notes: number;
}

/** Whether the case includes the item of the alias `copy` now. */
export const isWithin = ({ resourceIds, from, to }: CaseScope): RawBuilder<unknown> =>
  sql`(copy.resource_id = any(${[...resourceIds]}::uuid[]) and (${from}::timestamptz is null or copy.at >= ${from})
    and (${to}::timestamptz is null or copy.at <= ${to}))`;

/** Mails that need not be read: another one says all of it, which is there and which the case includes. */
function saidElsewhere(setId: string, scope: CaseScope): RawBuilder<unknown> {
  return sql`(select mail.position from review_threads mail where mail.set_id = ${setId} and mail.shown_by <> mail.position
    and mail.shown_by in (select copy.copy_of from review_items copy
      join search_items item using (organisation_id, realm, source_id, item_key)
      where copy.set_id = ${setId} and (item.from_point = copy.from_point or item.content_hash = copy.content_hash) and ${isWithin(scope)}))`;
}

/** Contents of the set `head`, by the item that carries their decision. A person has a content of which a copy is theirs. */
function heads({ setId, scope, status, resourceId, reviewer, readLess, thread, position, tagId }: ItemsWanted): RawBuilder<unknown> {
  const ofPerson = sql`exists (select from review_items copy where copy.organisation_id = head.organisation_id and copy.realm = head.realm
    and copy.set_id = head.set_id and copy.copy_of = head.position and copy.resource_id = ${resourceId ?? null} and ${isWithin(scope)})`;
  const ofThread = sql`exists (select from review_threads mail where mail.organisation_id = head.organisation_id and mail.realm = head.realm
    and mail.set_id = head.set_id and mail.position = head.position and mail.thread = ${thread ?? null})`;
  const hasTag = sql`exists (select from review_tags given where given.organisation_id = head.organisation_id and given.realm = head.realm
    and given.set_id = head.set_id and given.position = head.position and given.tag_id = ${tagId ?? null})`;
  return sql`review_items head where head.set_id = ${setId} and head.copy_of = head.position
    and ${status === undefined ? sql`true` : sql`head.status = ${status}`}
    and ${reviewer === undefined ? sql`true` : sql`head.reviewer = ${reviewer}`}
    and ${resourceId === undefined ? sql`true` : ofPerson}
    and ${tagId === undefined ? sql`true` : hasTag}
    and ${position === undefined ? sql`true` : sql`head.position = ${position}`}
    and ${thread === undefined ? sql`true` : ofThread}
    and ${readLess === true ? sql`head.position not in ${saidElsewhere(setId, scope)}` : sql`true`}`;
}

/** The copies of the content `head`. Read is the frozen version, or another one with the very same bytes. */
function copiesOf(scope: CaseScope): RawBuilder<unknown> {
  return sql`(select count(*)::bigint as copies, coalesce(bool_or(${isWithin(scope)}), false) as is_within,
      coalesce(bool_or(${isWithin(scope)} and exists (select from catalog_items version where version.organisation_id = copy.organisation_id
        and version.realm = copy.realm and version.source_id = copy.source_id and version.item_key = copy.item_key
        and version.from_point = copy.from_point)), false) as is_in_catalog,
      (array_agg(read.item_no order by copy.position) filter (where ${isWithin(scope)} and read.item_no is not null))[1] as item_no
    from review_items copy
    left join lateral (select item.item_no from search_items item where item.organisation_id = copy.organisation_id
      and item.realm = copy.realm and item.source_id = copy.source_id and item.item_key = copy.item_key
      and (item.from_point = copy.from_point or item.content_hash = copy.content_hash)
      order by (item.from_point = copy.from_point) desc, item.from_point desc limit 1) read on true
    where copy.organisation_id = head.organisation_id and copy.realm = head.realm and copy.set_id = head.set_id
      and copy.copy_of = head.position)`;
}

/** The thread of the mail `head`, and the near duplicate that it is compared with. */
const threadPlace = sql`(select jsonb_build_object('first', mail.thread, 'role', mail.role, 'shownBy', mail.shown_by,
      'mails', (select count(*) from review_threads other where other.organisation_id = mail.organisation_id and other.realm = mail.realm
        and other.set_id = mail.set_id and other.thread = mail.thread)) as thread,
    case when mail.pivot <> mail.position then jsonb_build_object('pivot', mail.pivot, 'likeness', mail.likeness) end as near_copy
  from review_threads mail where mail.organisation_id = head.organisation_id and mail.realm = head.realm and mail.set_id = head.set_id
    and mail.position = head.position)`;

/** What reviewers put on the content `head`. */
const marks = sql`(select
    coalesce((select array_agg(given.tag_id order by given.tagged_at, given.tag_id) from review_tags given
      where given.organisation_id = head.organisation_id and given.realm = head.realm and given.set_id = head.set_id
        and given.position = head.position), '{}') as tags,
    (select count(*)::bigint from review_notes note where note.organisation_id = head.organisation_id and note.realm = head.realm
      and note.set_id = head.set_id and note.position = head.position) as notes)`;

function placeOf({ is_within: isWithinCase, is_in_catalog: isInCatalog }: Row, isRead: boolean): ReviewItem['place'] {
  if (!isWithinCase) return 'outside';
  if (isRead) return 'kept';
  return isInCatalog ? 'waiting' : 'gone';
}

/** A page of the contents of a set in its order. What the case no longer includes has its number and decision alone. */
export async function itemsPage(tx: Tx, wanted: ItemsWanted, window: PageWindow): Promise<Page<ReviewItem>> {
  const { rows } = await sql<Row>`
    select head.position, head.status, head.revision, head.reviewer, head.reviewed_at, copy.*, place.*, marks.*
    from (select head.* from ${heads(wanted)} order by head.position limit ${window.limit} offset ${window.offset}) head
    cross join lateral ${copiesOf(wanted.scope)} copy left join lateral ${threadPlace} place on true
    cross join lateral ${marks} marks order by head.position`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${heads(wanted)}`.execute(tx);
  const hits = await hitsByNumber(
    tx,
    rows.flatMap((row) => row.item_no ?? []),
  );
  const items = rows.map((row) => {
    const hit = hits.get(row.item_no ?? -1) ?? null;
    const { position, status, revision, reviewer, copies, thread, near_copy: nearCopy, tags, notes } = row;
    const reviewedAt = row.reviewed_at?.toISOString() ?? null;
    return {
      position,
      status,
      revision,
      reviewer,
      reviewedAt,
      copies,
      place: placeOf(row, hit !== null),
      hit,
      thread,
      nearCopy,
      tags,
      notes,
    };
  });
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}

/**
 * What reviewers put on the contents of the items `copy` of a relation, as exports write it: the first copy carries what is
 * decided of all. A tag that several sets have is written once.
 */
const writtenOn = (copies: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select
    (select string_agg(one.name, '; ' order by lower(one.name), one.tag_id) from (select distinct tag.tag_id, tag.name
      from ${copies} join review_tags given on given.organisation_id = copy.organisation_id and given.realm = copy.realm
        and given.set_id = copy.set_id and given.position = copy.copy_of
      join case_tags tag on tag.organisation_id = given.organisation_id and tag.realm = given.realm and tag.tag_id = given.tag_id) one)
      as review_tags,
    (select string_agg(to_char(note.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' ' || note.author || ': ' || note.text, e'\\n'
        order by note.at, note.note_id) from ${copies} join review_notes note on note.organisation_id = copy.organisation_id
        and note.realm = copy.realm and note.set_id = copy.set_id and note.position = copy.copy_of) as review_notes)`;

/** Items of a set with these decisions where the last restore point shows them: the frozen version, or the very same bytes. */
export function decidedItems({
  setId,
  scope,
  statuses,
}: Pick<ItemsWanted, 'setId' | 'scope'> & { readonly statuses: readonly ReviewStatus[] }): RawBuilder<unknown> {
  return sql`(select copy.source_id, copy.item_key, version.from_point, shown.sequence, version.kind, version.name, copy.at, copy.size_bytes,
      copy.status as review, written.review_tags, written.review_notes
    from review_items copy
    join lateral (select same.* from catalog_items same where same.organisation_id = copy.organisation_id and same.realm = copy.realm
      and same.source_id = copy.source_id and same.item_key = copy.item_key
      and (same.from_point = copy.from_point or exists (select from search_items read where read.organisation_id = same.organisation_id
        and read.realm = same.realm and read.source_id = same.source_id and read.item_key = same.item_key
        and read.from_point = same.from_point and read.content_hash = copy.content_hash))
      order by (same.from_point = copy.from_point) desc, same.from_point desc limit 1) version on true
    join lateral (select point.sequence from catalog_points point where point.organisation_id = copy.organisation_id
      and point.realm = copy.realm and point.source_id = copy.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by point.sequence desc limit 1) shown on true
    cross join lateral ${writtenOn(sql`(select copy.*) copy`)} written
    where copy.set_id = ${setId} and copy.status = any(${[...statuses]}::text[]) and ${isWithin(scope)})`;
}

/** Items that a selection keeps, with what reviewers of a case put on the same version of them, or on the very same bytes, in any of its sets. */
export function markedInCase(caseId: string, chosen: RawBuilder<unknown>): RawBuilder<unknown> {
  const copies = sql`(select reviewed.* from review_items reviewed
      join review_sets of_case on of_case.organisation_id = reviewed.organisation_id and of_case.realm = reviewed.realm
        and of_case.set_id = reviewed.set_id and of_case.case_id = ${caseId}
      where reviewed.source_id = hit.source_id and reviewed.item_key = hit.item_key
        and (reviewed.from_point = hit.from_point or exists (select from search_items read where read.organisation_id = reviewed.organisation_id
          and read.realm = reviewed.realm and read.source_id = hit.source_id and read.item_key = hit.item_key
          and read.from_point = hit.from_point and read.content_hash = reviewed.content_hash))) copy`;
  return sql`(select hit.*, null::text as review, written.review_tags, written.review_notes
    from ${chosen} hit cross join lateral ${writtenOn(copies)} written)`;
}
