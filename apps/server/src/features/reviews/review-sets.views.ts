import { reviewStatuses, type ReviewPerson, type ReviewSet, type ReviewStatus, type ReviewThreads } from '@holdfast/contract/review-values';
import { isUnderWay } from '@holdfast/contract/run-status';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { caseScopeOf, type CaseScope } from '../cases/index.ts';
import { estimateOf } from './estimate.ts';
import type { ReviewSetRow } from './review-sets.store.ts';

/** Items and contents of one status; a content is counted once, however many copies it has. */
interface StatusCount {
  readonly set_id: string;
  readonly status: ReviewStatus;
  readonly items: number;
  readonly contents: number;
}

type Counts = readonly Pick<StatusCount, 'status' | 'items' | 'contents'>[];

type RunStatuses = ReadonlyMap<string, ReviewThreads['status']>;

const ofStatus = (counts: Counts, status: ReviewStatus) => counts.find((one) => one.status === status) ?? { items: 0, contents: 0 };

/** A sample says something of the whole once all of it has been decided. What is privileged was relevant, too. */
function estimate(row: ReviewSetRow, counts: Counts): ReviewSet['estimate'] {
  if (row.sample_size === null || ofStatus(counts, 'unreviewed').items > 0) return null;
  return estimateOf(ofStatus(counts, 'relevant').items + ofStatus(counts, 'privileged').items, row.items);
}

/** What is known of the threads of a set; a run that nobody remembers has failed. */
function threadsOf(row: ReviewSetRow, statuses: RunStatuses): ReviewSet['threads'] {
  if (row.threads_run_id === null) return null;
  return {
    status: statuses.get(row.threads_run_id) ?? 'failed',
    at: row.threads_at?.toISOString() ?? null,
    figures: row.threads as ReviewThreads['figures'],
  };
}

function setOf(row: ReviewSetRow, counts: Counts, statuses: RunStatuses): ReviewSet {
  const progress = Object.fromEntries(reviewStatuses.map((status) => [status, ofStatus(counts, status).contents]));
  return {
    setId: row.set_id,
    name: row.name,
    query: row.query,
    sample: row.sample_size === null || row.seed === null ? null : { size: row.sample_size, seed: row.seed },
    population: row.population,
    items: row.items,
    creator: row.creator,
    createdAt: row.created_at.toISOString(),
    coverage: row.coverage as SearchCoverage | null,
    progress: progress as ReviewSet['progress'],
    estimate: estimate(row, counts),
    threads: threadsOf(row, statuses),
  };
}

/** The runs that last looked for threads, as far as they are remembered. */
async function runStatusesOf(tx: Tx, sets: readonly ReviewSetRow[]): Promise<RunStatuses> {
  const runIds = sets.flatMap((row) => row.threads_run_id ?? []);
  const { rows } = await sql<{ run_id: string; status: ReviewThreads['status'] }>`
    select run_id, status from runs where run_id = any(${runIds}::uuid[])`.execute(tx);
  return new Map(rows.map((run) => [run.run_id, run.status]));
}

/** Whether a run looks for the threads of a set now. */
export async function isSought(tx: Tx, row: ReviewSetRow): Promise<boolean> {
  const threads = threadsOf(row, await runStatusesOf(tx, [row]));
  return threads !== null && isUnderWay(threads);
}

/** Sets with how far each has been read. */
export async function withProgress(tx: Tx, sets: readonly ReviewSetRow[]): Promise<ReviewSet[]> {
  const { rows } = await sql<StatusCount>`
    select set_id, status, count(*)::bigint as items, (count(*) filter (where copy_of = position))::bigint as contents
    from review_items where set_id = any(${sets.map((row) => row.set_id)}::uuid[]) group by 1, 2`.execute(tx);
  const statuses = await runStatusesOf(tx, sets);
  const bySet = Map.groupBy(rows, (row) => row.set_id);
  return sets.map((row) => setOf(row, bySet.get(row.set_id) ?? [], statuses));
}

/** Whose content is in a set, of what the case includes now. */
export async function peopleOf(tx: Tx, setId: string, { resourceIds }: CaseScope): Promise<ReviewPerson[]> {
  const { rows } = await sql<ReviewPerson>`
    select resource.resource_id as "resourceId", resource.name, resource.address, count(distinct item.copy_of)::bigint as contents
    from review_items item join resources resource using (organisation_id, realm, resource_id)
    where item.set_id = ${setId} and item.resource_id = any(${[...resourceIds]}::uuid[])
    group by 1, 2, 3 order by contents desc, resource.name, resource.resource_id`.execute(tx);
  return rows;
}

/** Who has decided about anything in a set. */
export async function reviewersOf(tx: Tx, setId: string): Promise<string[]> {
  const { rows } = await sql<{ reviewer: string }>`
    select distinct reviewer from review_items where set_id = ${setId} and reviewer is not null order by reviewer`.execute(tx);
  return rows.map(({ reviewer }) => reviewer);
}

/** What the case of a set includes now; undefined where there is no such set. */
export async function caseScopeOfSet(tx: Tx, setId: string): Promise<CaseScope | undefined> {
  const row = await tx
    .selectFrom('review_sets')
    .innerJoin('cases', 'cases.case_id', 'review_sets.case_id')
    .select(['cases.tenant_id', 'cases.case_id', 'cases.from_at', 'cases.to_at'])
    .where('review_sets.set_id', '=', setId)
    .executeTakeFirst();
  return row && caseScopeOf(tx, row);
}
