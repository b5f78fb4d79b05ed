import type { Database, DirectoryTx, OrganisationId, Scope, Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { databaseNow } from '../../platform/database-now.views.ts';
import { storedJob, type StoredJob } from './jobs.store.ts';

/** A job whose time has come, wherever it belongs. Ids and times only. */
export interface DueJob {
  readonly scope: Scope;
  readonly jobId: string;
}

export interface DueJobsStore {
  within: Database['within'];
  /** The one query across organisations: which jobs are due by the clock of the database, and what that clock says. */
  due(limit: number): Promise<{ readonly nowMs: number; readonly jobs: readonly DueJob[] }>;
  /** Locks a due job; undefined when another scheduler has it or it is not due any more. */
  lock(tx: Tx, jobId: string, nowMs: number): Promise<StoredJob | undefined>;
  /** Records an occurrence; false when it has been recorded before. */
  record(
    tx: Tx,
    jobId: string,
    occurrence: { readonly key: string; readonly atMs: number; readonly outcome: 'run' | 'skipped' | 'missed' },
  ): Promise<boolean>;
  link(tx: Tx, jobId: string, key: string, runId: string): Promise<void>;
  setNext(tx: Tx, jobId: string, nextRunAt: Date | null): Promise<void>;
  /** Scheduled jobs that are not due yet, page by page after a job's id, and what the clock of the database says. */
  upcoming(after: string | undefined, limit: number): Promise<{ readonly nowMs: number; readonly jobs: readonly DueJob[] }>;
  /** Locks a job whose next run is after `nowMs`; undefined when another scheduler has it. */
  lockUpcoming(tx: Tx, jobId: string, nowMs: number): Promise<StoredJob | undefined>;
  /** Forgets occurrences after `nowMs` that did not run, and all that are more than a day later. */
  forgetLater(tx: Tx, jobId: string, nowMs: number): Promise<void>;
}

const DAY_MS = 86_400_000;

function allJobs(tx: DirectoryTx) {
  return tx.selectFrom('jobs').select(['organisation_id', 'realm', 'job_id']);
}

type JobsQuery = ReturnType<typeof allJobs>;

/** Jobs of all organisations by one condition, as the database's clock has it. */
function jobsWhere(
  database: Database,
  choose: (query: JobsQuery) => JobsQuery,
): Promise<{ readonly nowMs: number; readonly jobs: readonly DueJob[] }> {
  return database.acrossOrganisations(async (tx) => {
    const nowMs = await databaseNow(tx);
    const rows = await choose(allJobs(tx)).execute();
    const jobs = rows.map((row) => ({
      scope: { organisationId: row.organisation_id as OrganisationId, realm: row.realm },
      jobId: row.job_id,
    }));
    return { nowMs, jobs };
  });
}

function locked(tx: Tx, jobId: string, compared: '<=' | '>', nowMs: number) {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('next_run_at', compared, new Date(nowMs))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
    .then((row) => row && storedJob(row));
}

export function createDueJobsStore(database: Database): DueJobsStore {
  return Object.freeze<DueJobsStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    due: (limit) =>
      jobsWhere(database, (query) =>
        query
          .where('next_run_at', '<=', sql<Date>`now()`)
          .orderBy('next_run_at')
          .limit(limit),
      ),
    upcoming: (after, limit) =>
      jobsWhere(database, (query) => {
        const later = query
          .where('next_run_at', '>', sql<Date>`now()`)
          .orderBy('job_id')
          .limit(limit);
        return after === undefined ? later : later.where('job_id', '>', after);
      }),
    lock: (tx, jobId, nowMs) => locked(tx, jobId, '<=', nowMs),
    lockUpcoming: (tx, jobId, nowMs) => locked(tx, jobId, '>', nowMs),
    async forgetLater(tx, jobId, nowMs) {
      await tx
        .deleteFrom('job_occurrences')
        .where('job_id', '=', jobId)
        .where('due_at', '>', new Date(nowMs))
        .where((where) => where.or([where('outcome', '<>', 'run'), where('due_at', '>', new Date(nowMs + DAY_MS))]))
        .execute();
    },
    async record(tx, jobId, { key, atMs, outcome }) {
      const row = await tx
        .insertInto('job_occurrences')
        .values({ job_id: jobId, occurrence: key, due_at: new Date(atMs), outcome, run_id: null })
        .onConflict((conflict) => conflict.doNothing())
        .returning('occurrence')
        .executeTakeFirst();
      return row !== undefined;
    },
    async link(tx, jobId, key, runId) {
      await tx.updateTable('job_occurrences').set({ run_id: runId }).where('job_id', '=', jobId).where('occurrence', '=', key).execute();
    },
    async setNext(tx, jobId, nextRunAt) {
      await tx.updateTable('jobs').set({ next_run_at: nextRunAt }).where('job_id', '=', jobId).execute();
    },
  });
}
