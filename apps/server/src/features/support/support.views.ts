import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';

/** Figures of one organisation for support: every column is named here, and none holds a secret, a name of a person or content. */
export interface SupportFigures {
  readonly migrations: readonly object[];
  readonly counts: object;
  readonly runs: readonly object[];
  readonly workers: readonly object[];
}

export interface SupportViews {
  figures(scope: Scope, tenantId: string): Promise<SupportFigures>;
}

const LAST_RUNS = 200;

export function createSupportViews(database: Database): SupportViews {
  return Object.freeze<SupportViews>({
    figures(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const migrations = await sql<object>`
          select number, name, applied_at as "appliedAt" from holdfast_migrations order by number`.execute(tx);
        const counts = await sql<object>`
          select
            (select jsonb_object_agg(status, many) from (select status, count(*) as many from runs where tenant_id = ${tenantId} group by 1) by_status)
              as "runsByStatus",
            (select min(queued_at) from runs where tenant_id = ${tenantId} and status = 'pending') as "oldestWaitingRunAt",
            (select count(*) from jobs where tenant_id = ${tenantId})::bigint as jobs,
            (select count(*) from locations where tenant_id = ${tenantId})::bigint as locations,
            (select count(*) from resources where tenant_id = ${tenantId})::bigint as resources,
            (select jsonb_object_agg(last_code, many) from
              (select last_code, count(*) as many from resources where tenant_id = ${tenantId} and last_code is not null group by 1) by_code)
              as "resourcesByCode"`.execute(tx);
        const runs = await sql<object>`
          select run_id as "runId", number, job_id as "jobId", type, workload, status, code, trigger, stage, errors, excluded, accounts,
            processed, bytes, added, changed, removed, unchanged, gone, new_bytes as "newBytes", stored_bytes as "storedBytes", fence,
            queued_at as "queuedAt", started_at as "startedAt", ended_at as "endedAt",
            (select jsonb_object_agg(code, many) from
              (select problem.code, count(*) as many from run_problems problem
                where problem.organisation_id = run.organisation_id and problem.realm = run.realm and problem.run_id = run.run_id group by 1) by_code)
              as "problemsByCode"
          from runs run where tenant_id = ${tenantId} order by queued_at desc limit ${LAST_RUNS}`.execute(tx);
        const workers = await sql<object>`
          select worker_id as "workerId", ip, version, load, running_runs as "runningRuns", last_seen_at as "lastSeenAt", is_local as "isLocal"
          from workers order by ip`.execute(tx);
        return { migrations: migrations.rows, counts: counts.rows[0] ?? {}, runs: runs.rows, workers: workers.rows };
      });
    },
  });
}
