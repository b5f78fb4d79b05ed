import type { ReviewThreads } from '@holdfast/contract/review-values';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { ThreadRole } from '@holdfast/words/threads';
import { sql } from 'kysely';
import type { CaseScope } from '../cases/index.ts';
import { isWithin } from './review-items.views.ts';

/** A mail of a set where the last restore point that has it shows it. */
export interface ReviewMail {
  readonly position: number;
  readonly locationId: string;
  readonly resourceId: string;
  readonly sequence: number;
  readonly itemKey: string;
}

/** What was found out about a mail, all by positions of the set. */
export interface MailPlace {
  readonly position: number;
  readonly thread: number;
  readonly role: ThreadRole;
  readonly shownBy: number;
  readonly pivot: number;
  readonly likeness: number;
}

export interface ReviewThreadsStore {
  /** The mails among the next contents of a set, as far as the case includes them now; `last` is 0 behind the last content. */
  mailsAfter(
    scope: Scope,
    wanted: { readonly setId: string; readonly within: CaseScope },
    after: number,
  ): Promise<{ readonly mails: readonly ReviewMail[]; readonly last: number }>;
  /** Puts what was found in the place of what was known before: all of it or nothing. */
  keep(
    scope: Scope,
    setId: string,
    found: { readonly places: readonly MailPlace[]; readonly figures: ReviewThreads['figures']; readonly at: Date },
  ): Promise<void>;
}

const CONTENTS_A_PAGE = 500;
const ROWS_A_STATEMENT = 5_000;

async function insert(tx: Tx, setId: string, places: readonly MailPlace[]): Promise<void> {
  const column = <T>(of: (place: MailPlace) => T): T[] => places.map(of);
  await sql`
    insert into review_threads (set_id, position, thread, role, shown_by, pivot, likeness)
    select ${setId}::uuid, * from unnest(${column((one) => one.position)}::int[], ${column((one) => one.thread)}::int[],
      ${column((one) => one.role)}::text[], ${column((one) => one.shownBy)}::int[], ${column((one) => one.pivot)}::int[],
      ${column((one) => one.likeness)}::double precision[])`.execute(tx);
}

/** One copy of each of these contents that is a mail, of those that the case includes. */
async function mailsOf(
  tx: Tx,
  { setId, within, positions }: { readonly setId: string; readonly within: CaseScope; readonly positions: readonly number[] },
): Promise<readonly ReviewMail[]> {
  const { rows } = await sql<ReviewMail>`
    select distinct on (copy.copy_of) copy.copy_of as position, source.location_id as "locationId", copy.resource_id as "resourceId",
      shown.sequence, copy.item_key as "itemKey"
    from review_items copy
    join catalog_sources source using (organisation_id, realm, source_id)
    join catalog_items version on version.organisation_id = copy.organisation_id and version.realm = copy.realm
      and version.source_id = copy.source_id and version.item_key = copy.item_key and version.from_point = copy.from_point
    join lateral (select point.sequence from catalog_points point where point.organisation_id = copy.organisation_id
      and point.realm = copy.realm and point.source_id = copy.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by point.sequence desc limit 1) shown on true
    where copy.set_id = ${setId} and copy.copy_of = any(${[...positions]}::int[]) and version.kind = 'message' and ${isWithin(within)}
    order by copy.copy_of, copy.position`.execute(tx);
  return rows;
}

export function createReviewThreadsStore(database: Database): ReviewThreadsStore {
  return Object.freeze<ReviewThreadsStore>({
    mailsAfter: (scope, { setId, within }, after) =>
      database.within(scope, async (tx) => {
        const heads = await tx
          .selectFrom('review_items')
          .select('position')
          .where('set_id', '=', setId)
          .whereRef('copy_of', '=', 'position')
          .where('position', '>', after)
          .orderBy('position')
          .limit(CONTENTS_A_PAGE)
          .execute();
        const positions = heads.map(({ position }) => position);
        return { mails: await mailsOf(tx, { setId, within, positions }), last: positions.at(-1) ?? 0 };
      }),
    keep: (scope, setId, { places, figures, at }) =>
      database.within(scope, async (tx) => {
        await tx.deleteFrom('review_threads').where('set_id', '=', setId).execute();
        for (let from = 0; from < places.length; from += ROWS_A_STATEMENT)
          await insert(tx, setId, places.slice(from, from + ROWS_A_STATEMENT));
        await tx
          .updateTable('review_sets')
          .set({ threads_at: at, threads: JSON.stringify(figures) })
          .where('set_id', '=', setId)
          .execute();
      }),
  });
}
