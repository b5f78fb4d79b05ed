import type { Database, Scope, Tx } from '@holdfast/database';
import { sql } from 'kysely';

/** A figure as a query answers it: its value, and whatever it is broken down by. */
type Row = Readonly<Record<string, string | number | null>>;

/** The figures of one organisation, each a list of rows. */
export interface Figures {
  readonly jobs: readonly Row[];
  readonly points: readonly Row[];
  readonly queue: readonly Row[];
  readonly ended: readonly Row[];
  readonly errors: readonly Row[];
  readonly protected: readonly Row[];
  readonly destinations: readonly Row[];
}

export type FigureName = keyof Figures;

/** Jobs of an organisation that have a series of their own, those that succeeded longest ago first. */
const MOST_JOBS = 500;
/** Codes of errors that have a series of their own, the most frequent first. */
const MOST_CODES = 50;

const seconds = (column: string) => sql.raw(`extract(epoch from ${column})::float8`);

/** Resources that are to be backed up, by the age of their newest restore point. */
const points = (at: Date) => sql<Row>`
  select workload,
    case when newest is null then 'none'
      when newest > ${at}::timestamptz - interval '1 day' then 'day'
      when newest > ${at}::timestamptz - interval '7 days' then 'week' else 'older' end as newest_point,
    count(*)::float8 as resources, ${seconds('min(newest)')} as oldest_at, ${seconds('max(newest)')} as newest_at
  from (
    select workload, (select max(newest_point_at) from catalog_sources where catalog_sources.resource_id = resources.resource_id) as newest
    from resources where deleted_at is null and kind <> 'journal' and last_status is distinct from 'excluded') as resource
  group by 1, 2`;

const jobs = sql<Row>`
  select job_id, name, type, ${seconds('succeeded')} as at from (
    select job_id, name, type,
      (select max(ended_at) from runs where runs.job_id = jobs.job_id and status = 'successful') as succeeded
    from jobs) as job
  order by succeeded nulls first, job_id limit ${MOST_JOBS}`;

const queue = sql<Row>`
  select status, count(*)::float8 as runs, ${seconds('min(queued_at)')} as oldest_at
  from runs where status in ('pending', 'running', 'cancelling') group by 1`;

const ended = (since: Date) => sql<Row>`
  select status, coalesce(code, '') as code, count(*)::float8 as runs, sum(bytes)::float8 as read,
    sum(new_bytes)::float8 as added, sum(stored_bytes)::float8 as stored
  from runs where ended_at > ${since} group by 1, 2 order by 3 desc limit ${MOST_CODES}`;

const errors = (since: Date) => sql<Row>`
  select run_problems.code, count(*)::float8 as items
  from run_problems join runs using (organisation_id, realm, run_id)
  where runs.ended_at > ${since} and run_problems.outcome = 'recorded' group by 1 order by 2 desc limit ${MOST_CODES}`;

const protectedBytes = sql<Row>`
  select workload, sum(catalog_sources.bytes)::float8 as bytes, sum(catalog_sources.items)::float8 as items
  from catalog_sources join resources using (organisation_id, realm, resource_id) group by 1`;

const destinations = sql<Row>`
  select case when not is_enabled then 'paused' when failing_since is null then 'sending' else 'failing' end as state,
    count(*)::float8 as destinations
  from audit_destinations group by 1`;

const DAY_MS = 86_400_000;

/** Reads the figures of an organisation in one transaction. */
export function readFigures(database: Database, scope: Scope, at: Date): Promise<Figures> {
  const since = new Date(at.getTime() - DAY_MS);
  return database.within(scope, async (tx: Tx) => ({
    jobs: (await jobs.execute(tx)).rows,
    points: (await points(at).execute(tx)).rows,
    queue: (await queue.execute(tx)).rows,
    ended: (await ended(since).execute(tx)).rows,
    errors: (await errors(since).execute(tx)).rows,
    protected: (await protectedBytes.execute(tx)).rows,
    destinations: (await destinations.execute(tx)).rows,
  }));
}
