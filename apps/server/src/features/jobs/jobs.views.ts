import type { Job, jobsQuery } from '@holdfast/contract/jobs';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { jobOf, type JobRow } from './job-row.ts';

/** A kind that is not there, as an older client may name it, has no jobs. */
export type JobsQuery = Omit<z.output<typeof jobsQuery>, 'type'> & { readonly type?: readonly string[] | undefined };

/** Jobs as screens want them. */
export interface JobsViews {
  list(scope: Scope, tenantId: string, query: JobsQuery): Promise<Page<Job>>;
  get(scope: Scope, tenantId: string, jobId: string): Promise<Job | undefined>;
  /** Jobs with the nearest next runs. */
  upcoming(scope: Scope, tenantId: string, limit: number, type?: Job['type']): Promise<Job[]>;
}

const sortColumns = {
  name: 'lower(name)',
  type: 'type',
  workload: 'workload',
  status: 'status',
  lastRun: 'run_started_at',
  nextRun: 'next_run_at',
  createdAt: 'created_at',
} as const;

/** As many results of a job as a list has marks for. */
const SHOWN_RESULTS = 10;

/** Each job with its current or last run. */
function shown(tenantId: string): RawBuilder<unknown> {
  return sql`(
    select job.job_id, job.name, job.type, job.workload, job.location_id, job.body, job.creator, job.created_at, job.next_run_at, job.version, job.approval,
      location.name as location_name, run.run_id, run.status as run_status, run.started_at as run_started_at, run.ended_at as run_ended_at,
      run.progress, run.stage, run.processed, run.errors,
      (select count(*) from catalog_points point join runs made on made.run_id::text = point.run_id where made.job_id = job.job_id) as restore_points,
      (select json_agg(ended.status order by ended.ended_at, ended.number) from (
        select result.status, result.ended_at, result.number from runs result
        where result.organisation_id = job.organisation_id and result.realm = job.realm and result.job_id = job.job_id and result.ended_at is not null
        order by result.queued_at desc limit ${SHOWN_RESULTS}) ended) as last_results,
      case when run.ended_at is null and run.status is not null then run.status when job.schedule->>'mode' = 'disabled' then 'disabled'
        else coalesce(run.status, 'scheduled') end as status
    from jobs job
    left join locations location using (organisation_id, realm, location_id)
    left join lateral (
      select * from runs where runs.organisation_id = job.organisation_id and runs.realm = job.realm and runs.job_id = job.job_id
      order by (ended_at is null) desc, queued_at desc limit 1) run on true
    where job.tenant_id = ${tenantId}) shown`;
}

function conditions(query: JobsQuery): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.type !== undefined) parts.push(sql`type = any(${[...query.type]}::text[])`);
  if (query.workload !== undefined) parts.push(sql`workload = ${query.workload}`);
  if (query.status !== undefined) parts.push(sql`status = ${query.status}`);
  if (query.search !== undefined) parts.push(sql`name ilike ${likePattern(query.search)}`);
  return sql.join(parts, sql` and `);
}

export function createJobsViews(database: Database): JobsViews {
  return Object.freeze<JobsViews>({
    list(scope, tenantId, query) {
      const window = windowOf(query);
      const { column, isDescending } = sortOf<keyof typeof sortColumns>(query.sort, { column: 'name', isDescending: false });
      const where = conditions(query);
      return database.within(scope, async (tx) => {
        const { rows } = await sql<JobRow>`
          select * from ${shown(tenantId)} where ${where}
          order by ${sql.raw(`${sortColumns[column]} ${isDescending ? 'desc' : 'asc'} nulls last, job_id`)}
          limit ${window.limit} offset ${window.offset}`.execute(tx);
        const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${shown(tenantId)} where ${where}`.execute(tx);
        return pageFrom(rows.map(jobOf), counted.rows[0]?.total ?? 0, window);
      });
    },
    get(scope, tenantId, jobId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<JobRow>`select * from ${shown(tenantId)} where job_id = ${jobId}`.execute(tx);
        return rows[0] && jobOf(rows[0]);
      });
    },
    upcoming(scope, tenantId, limit, type) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<JobRow>`
          select * from ${shown(tenantId)} where next_run_at is not null and ${type === undefined ? sql`true` : sql`type = ${type}`} order by next_run_at, job_id limit ${limit}`.execute(
          tx,
        );
        return rows.map(jobOf);
      });
    },
  });
}
