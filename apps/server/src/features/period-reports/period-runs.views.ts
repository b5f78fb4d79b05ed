import { protectingTypes, typesWhere } from '@holdfast/contract/jobs';
import type { ReportedRun, ReportFigures } from '@holdfast/contract/period-reports';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { daysOf, type Period } from './period.ts';

/** As many rows as a page of paper has room for; totals count all of them. */
export const LISTED = 20;

const restoring = typesWhere(({ putsBack, proves }) => putsBack === true && proves !== true);
/** The kinds of job that delete. */
export const deleting = typesWhere(({ deletes }) => deletes === true);

/** A run belongs to the period in which it ended, so that it is counted once. */
function endedIn({ tenantId, from, to }: Period): RawBuilder<unknown> {
  return sql`run.organisation_id = holdfast.organisation() and run.realm = holdfast.realm() and run.tenant_id = ${tenantId} and run.ended_at >= ${from} and run.ended_at < ${to}`;
}

interface RunRow {
  readonly run_id: string;
  readonly job_name: string;
  readonly type: ReportedRun['type'];
  readonly ended_at: Date;
  readonly status: ReportedRun['status'];
  readonly code: string | null;
  readonly items: number;
  readonly total: number;
  readonly who: string | null;
  readonly requester: string | null;
  readonly approver: string | null;
  readonly mode: 'secondPerson' | 'delay' | null;
}

function runOf(row: RunRow): ReportedRun {
  const { run_id: runId, job_name: jobName, type, status, code, items } = row;
  return { runId, jobName, type, at: row.ended_at.toISOString(), status, code, items };
}

/** The newest runs of a period that something holds for, with how many there are. */
async function runsWhere(tx: Tx, period: Period, condition: RawBuilder<unknown>): Promise<readonly RunRow[]> {
  const { rows } = await sql<RunRow>`
    select run.run_id, run.job_name, run.type, run.ended_at, run.status, run.code, (run.added + run.changed + run.removed)::bigint as items,
      count(*) over ()::bigint as total, run.started_by as who, asked.requester, asked.decider as approver, asked.mode
    from runs run
    left join lateral (
      select requester, decider, mode from approvals approval
      where approval.organisation_id = run.organisation_id and approval.realm = run.realm and approval.subject_id = run.job_id
        and approval.status = 'approved' and approval.decided_at <= run.ended_at order by decided_at desc limit 1) asked on true
    where ${endedIn(period)} and ${condition} order by run.ended_at desc, run.run_id limit ${LISTED}`.execute(tx);
  return rows;
}

async function countsByType(tx: Tx, period: Period): Promise<ReportFigures['runs']> {
  const counted = (status: string) => sql`count(*) filter (where status = ${sql.lit(status)})::bigint`;
  const { rows } = await sql<ReportFigures['runs'][number]>`
    select type, count(*)::bigint as runs, ${counted('successful')} as successful, ${counted('defective')} as defective, ${counted('failed')} as failed,
      ${counted('skipped')} as skipped, ${counted('cancelled')} as cancelled
    from runs run where ${endedIn(period)} group by type order by type`.execute(tx);
  return rows;
}

async function totalsOf(tx: Tx, period: Period): Promise<Pick<ReportFigures, 'items' | 'bytes' | 'accounts'>> {
  const { rows } = await sql<Pick<ReportFigures, 'items' | 'bytes' | 'accounts'>>`
    select coalesce(sum(run.added + run.changed), 0)::bigint as items, coalesce(sum(run.bytes), 0)::bigint as bytes,
      (select count(distinct account.resource_id)::bigint from run_accounts account join runs run using (organisation_id, realm, run_id)
        where ${endedIn(period)}) as accounts
    from runs run where ${endedIn(period)} and run.type = any(${[...protectingTypes]})`.execute(tx);
  return rows[0] ?? { items: 0, bytes: 0, accounts: 0 };
}

async function growthOf(tx: Tx, period: Period, timeZone: string): Promise<ReportFigures['days']> {
  const { rows } = await sql<ReportFigures['days'][number]>`
    select to_char(run.ended_at at time zone ${timeZone}, 'YYYY-MM-DD') as date, sum(run.added + run.changed)::bigint as items,
      sum(run.bytes)::bigint as bytes, sum(run.stored_bytes)::bigint as "storedBytes"
    from runs run where ${endedIn(period)} and run.type = any(${[...protectingTypes]}) group by 1`.execute(tx);
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return daysOf(period, timeZone).map((date) => byDate.get(date) ?? { date, items: 0, bytes: 0, storedBytes: 0 });
}

async function storageOf(tx: Tx, period: Period): Promise<ReportFigures['storage']> {
  const { rows } = await sql<ReportFigures['storage'][number]>`
    select location.name as location,
      coalesce((select sum(bytes) from catalog_sources source where source.location_id = location.location_id), 0)::bigint as "sourceBytes",
      coalesce((select sum(run.stored_bytes) from runs run where run.location_id = location.location_id and ${endedIn(period)}), 0)::bigint as "addedBytes"
    from locations location where location.tenant_id = ${period.tenantId} order by lower(location.name), location.location_id`.execute(tx);
  return rows;
}

/** What ran in a period. */
export async function runFigures(
  tx: Tx,
  period: Period,
  timeZone: string,
): Promise<Pick<ReportFigures, 'runs' | 'items' | 'bytes' | 'accounts' | 'troubled' | 'days' | 'storage' | 'restores' | 'deletions'>> {
  const troubled = await runsWhere(tx, period, sql`run.status in ('failed', 'defective')`);
  const restores = await runsWhere(tx, period, sql`run.type = any(${[...restoring]})`);
  const deletions = await runsWhere(tx, period, sql`run.type = any(${[...deleting]})`);
  return {
    runs: await countsByType(tx, period),
    ...(await totalsOf(tx, period)),
    troubled: { total: troubled[0]?.total ?? 0, items: troubled.map(runOf) },
    days: await growthOf(tx, period, timeZone),
    storage: await storageOf(tx, period),
    restores: { total: restores[0]?.total ?? 0, items: restores.map((row) => ({ ...runOf(row), who: row.who })) },
    deletions: {
      total: deletions[0]?.total ?? 0,
      items: deletions.map((row) => ({ ...runOf(row), requester: row.requester, approver: row.approver, mode: row.mode })),
    },
  };
}
