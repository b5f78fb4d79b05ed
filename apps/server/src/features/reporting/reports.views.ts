import { protectingTypes } from '@holdfast/contract/jobs';
import type { Readiness } from '@holdfast/contract/dashboard';
import type { Evidence, MonthlyReport } from '@holdfast/contract/reporting';
import type { RunAccount } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import { workloads, type Workload } from '@holdfast/contract/values';
import type { Database, Scope, Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { shownStatus, type AccountsQuery } from '../../runs/index.ts';
import { isReportMade, madeAccounts, madeMonths } from './made-reports.views.ts';
import { monthOf, reportIdOf } from './report-id.ts';

export interface ReportsViews {
  /** One report a month, newest first, of months in which something ended. One that was made says what it said then. */
  monthly(scope: Scope, tenantId: string): Promise<MonthlyReport[]>;
  /** The resources of a month, each with all that ran on it; undefined when the id names no month. */
  monthAccounts(
    scope: Scope,
    place: { readonly tenantId: string; readonly reportId: string },
    query: AccountsQuery,
  ): Promise<Page<RunAccount> | undefined>;
  /** Verifications and drills, newest first: all that ended in a period, or the newest of each kind. */
  evidence(scope: Scope, tenantId: string, now: Date, within?: EvidencePeriod): Promise<Evidence[]>;
  /** What could be brought back of each workload that is kept, and when that was last proved. */
  readiness(scope: Scope, tenantId: string, now: Date): Promise<Readiness['items']>;
}

export interface EvidencePeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface MonthRow {
  /** `2026-11`, as the clock of the organisation has it. */
  readonly month: string;
  readonly from: Date;
  readonly to: Date;
  readonly runs: number;
  readonly successful: number;
  readonly defective: number;
  readonly failed: number;
  readonly skipped: number;
  readonly items: number;
  readonly bytes: number;
  readonly accounts: number;
  readonly restores: number;
}

/** The first day of a month that is named `2026-11`: what its id is made of. */
const firstOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

function reportOf(tenantId: string, { month, from, to, ...figures }: MonthRow): MonthlyReport {
  return {
    reportId: reportIdOf(tenantId, firstOf(month)),
    reportNumber: Number(month.replace('-', '')),
    reportDate: to.toISOString(),
    from: from.toISOString(),
    to: to.toISOString(),
    ...figures,
  };
}

/** The clock by which an organisation counts its months. */
export const organisationZone = sql<string>`(select coalesce(time_zone, 'UTC') from organisations)`;
const monthOfRun = sql`to_char(run.ended_at at time zone ${organisationZone}, 'YYYY-MM')`;
const protecting = sql`type = any(${[...protectingTypes]})`;
/** The moment at which a month begins, `after` months later. */
const beginOf = (month: RawBuilder<unknown>, after: 0 | 1): RawBuilder<unknown> =>
  sql`((${month} || '-01')::timestamp + make_interval(months => ${after}::int)) at time zone ${organisationZone}`;

async function readMonths(tx: Tx, tenantId: string): Promise<readonly MonthRow[]> {
  const ended = sql`run.tenant_id = ${tenantId} and run.ended_at is not null`;
  const { rows } = await sql<MonthRow>`
    with ran as (
      select ${monthOfRun} as month, count(*)::bigint as runs,
        count(*) filter (where status = 'successful') as successful, count(*) filter (where status = 'defective') as defective,
        count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'skipped') as skipped,
        coalesce(sum(added + changed) filter (where ${protecting}), 0)::bigint as items,
        coalesce(sum(bytes) filter (where ${protecting}), 0)::bigint as bytes, count(*) filter (where type = 'restore') as restores
      from runs run where ${ended} group by 1),
    took_part as (
      select ${monthOfRun} as month, count(distinct account.resource_id)::bigint as accounts
      from run_accounts account join runs run using (organisation_id, realm, run_id) where ${ended} group by 1)
    select ran.*, coalesce(took_part.accounts, 0)::bigint as accounts, ${beginOf(sql`ran.month`, 0)} as "from", ${beginOf(sql`ran.month`, 1)} as "to"
    from ran left join took_part using (month) order by ran.month desc limit 120`.execute(tx);
  return rows;
}

interface EvidenceRow {
  readonly run_id: string;
  readonly type: 'verify' | 'drill';
  readonly ended_at: Date;
  readonly status: string;
  readonly location_name: string | null;
  readonly code: string | null;
  readonly result:
    | (Partial<Pick<Evidence, 'checked' | 'checkedBytes' | 'deviations' | 'findings' | 'remaining' | 'kept' | 'leftOut'>> & {
        readonly affectedItems?: number;
      })
    | null;
}

/** So many of each kind: who verifies every hour still sees the last drill. */
const SHOWN_EVIDENCE = 100;
/** Evidence older than this proves nothing about today. */
const OVERDUE_MS = 30 * 24 * 3_600_000;

const NOTHING = { checked: 0, checkedBytes: 0, remaining: 0, kept: 0, leftOut: 0 };

/** Whatever did not end well proves nothing, also when it counts nothing itself; items that can't be read always count. */
function deviationsOf({ result, status }: EvidenceRow): number {
  const counted = Math.max(result?.deviations ?? 0, result?.affectedItems ?? 0);
  return counted === 0 && status !== 'successful' ? 1 : counted;
}

/** What deviates; a run that counted nothing says at least why it did not end well. */
function findingsOf({ result, code }: EvidenceRow, deviations: number): Evidence['findings'] {
  return result?.findings ?? (deviations > 0 && code !== null ? [{ code, count: deviations }] : []);
}

function evidenceOf(row: EvidenceRow, now: Date): Evidence {
  const { checked, checkedBytes, remaining, kept, leftOut } = { ...NOTHING, ...row.result };
  const deviations = deviationsOf(row);
  const isOld = now.getTime() - row.ended_at.getTime() > OVERDUE_MS;
  return {
    runId: row.run_id,
    kind: row.type,
    at: row.ended_at.toISOString(),
    state: deviations > 0 ? 'deviation' : isOld ? 'overdue' : 'verified',
    locationName: row.location_name ?? '',
    checked,
    checkedBytes,
    deviations,
    findings: findingsOf(row, deviations),
    remaining,
    kept,
    leftOut,
  };
}

/** Limits verifications and drills to a period, or to the newest of each kind. */
function meant({ from, to }: EvidencePeriod): RawBuilder<unknown> {
  if (from === undefined && to === undefined) return sql`nth <= ${SHOWN_EVIDENCE}`;
  return sql`ended_at >= coalesce(${from ?? null}::timestamptz, '-infinity') and ended_at < coalesce(${to ?? null}::timestamptz, 'infinity')`;
}

interface ReadinessRow {
  readonly workload: Workload;
  readonly newest: Date | null;
  readonly drill: ProofRow | null;
  readonly verification: ProofRow | null;
}

/** Evidence as JSON has it. */
type ProofRow = Omit<EvidenceRow, 'ended_at'> & { readonly ended_at: string };

function proofOf(row: ProofRow | null, now: Date): Readiness['items'][number]['drill'] {
  if (row === null) return null;
  const { runId, at, state, checked } = evidenceOf({ ...row, ended_at: new Date(row.ended_at) }, now);
  return { runId, at, state, checked };
}

interface MonthAccountRow {
  readonly resource_id: string;
  readonly name: string;
  readonly address: string;
  readonly kind: RunAccount['kind'];
  readonly status: RunAccount['status'];
  readonly processed: number;
  readonly items: number;
  readonly bytes: number;
  readonly errors: number;
  readonly code: string | null;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly total_rows: number;
}

function monthAccountOf(row: MonthAccountRow): RunAccount {
  return {
    accountId: row.resource_id,
    name: row.name,
    address: row.address,
    kind: row.kind,
    readFrom: null,
    status: row.status,
    stage: 'finished',
    processed: row.processed,
    total: null,
    items: row.items,
    bytes: row.bytes,
    errors: row.errors,
    code: row.code,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

const accountColumns = { name: 'lower(name)', status: 'status', items: 'items', bytes: 'bytes', errors: 'errors' } as const;

function accountConditions(query: AccountsQuery): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (query.status !== undefined) parts.push(sql`status = ${query.status}`);
  if (query.search !== undefined) parts.push(sql`(name ilike ${likePattern(query.search)} or address ilike ${likePattern(query.search)})`);
  return sql.join(parts, sql` and `);
}

/** Each resource of a month with all that ran on it; its state is that of the last run. */
function accountsOf(tenantId: string, month: string): RawBuilder<unknown> {
  return sql`(
    select resource.resource_id, resource.name, resource.address, resource.kind,
      (array_agg(${shownStatus} order by account.ended_at desc nulls last))[1] as status,
      sum(account.processed)::bigint as processed, sum(account.items)::bigint as items, sum(account.bytes)::bigint as bytes,
      sum(account.errors)::bigint as errors, (array_agg(account.code order by account.ended_at desc nulls last))[1] as code,
      min(account.started_at) as started_at, max(account.ended_at) as ended_at
    from run_accounts account
    join runs run using (organisation_id, realm, run_id)
    join resources resource using (organisation_id, realm, resource_id)
    where run.tenant_id = ${tenantId} and run.ended_at is not null
      and run.ended_at >= ${beginOf(sql`${month}::text`, 0)} and run.ended_at < ${beginOf(sql`${month}::text`, 1)}
    group by resource.resource_id, resource.name, resource.address, resource.kind) shown`;
}

function createMonthAccounts(database: Database): ReportsViews['monthAccounts'] {
  return (scope, { tenantId, reportId }, query) => {
    const window = windowOf(query);
    const { column, isDescending } = sortOf<keyof typeof accountColumns>(query.sort, { column: 'name', isDescending: false });
    const order = sql.raw(`${accountColumns[column]} ${isDescending ? 'desc' : 'asc'}, resource_id`);
    return database.within(scope, async (tx) => {
      const first = await sql<{ month: string | null }>`
        select min(${monthOfRun}) as month from runs run where tenant_id = ${tenantId} and run.ended_at is not null`.execute(tx);
      const since = first.rows[0]?.month;
      const month = monthOf(tenantId, reportId, typeof since === 'string' ? firstOf(since) : null);
      const isMade = await isReportMade(tx, tenantId, reportId);
      if (month === undefined && !isMade) return undefined;
      const accounts = isMade || month === undefined ? madeAccounts(reportId) : accountsOf(tenantId, month.toISOString().slice(0, 7));
      const from = sql`${accounts} where ${accountConditions(query)}`;
      const { rows } = await sql<MonthAccountRow>`
        select shown.*, count(*) over ()::bigint as total_rows from ${from} order by ${order} limit ${window.limit} offset ${window.offset}`.execute(
        tx,
      );
      return pageFrom(rows.map(monthAccountOf), rows[0]?.total_rows ?? 0, window);
    });
  };
}

export function createReportsViews(database: Database): ReportsViews {
  return Object.freeze<ReportsViews>({
    monthAccounts: createMonthAccounts(database),
    async monthly(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const made = await madeMonths(tx, tenantId);
        const known = new Set(made.map(({ reportId }) => reportId));
        const counted = (await readMonths(tx, tenantId))
          .map((row) => reportOf(tenantId, row))
          .filter(({ reportId }) => !known.has(reportId));
        return [...made, ...counted].toSorted((a, b) => b.reportNumber - a.reportNumber);
      });
    },
    evidence(scope, tenantId, now, within = {}) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<EvidenceRow>`
          select run_id, type, ended_at, status, code, location_name, result from (
            select run.run_id, run.type, run.ended_at, run.status, run.code, location.name as location_name, run.result,
              row_number() over (partition by run.type order by run.ended_at desc) as nth
            from runs run left join locations location using (organisation_id, realm, location_id)
            where run.tenant_id = ${tenantId} and run.type in ('verify', 'drill') and run.status in ('successful', 'defective', 'failed')) one
          where ${meant(within)} order by ended_at desc`.execute(tx);
        return rows.map((row) => evidenceOf(row, now));
      });
    },
    readiness(scope, tenantId, now) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<ReadinessRow>`
          with held as (
            select resource.workload, source.location_id, max(source.newest_point_at) as newest
            from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
            where resource.tenant_id = ${tenantId} and resource.kind not in ('archive', 'journal') and source.points > 0 group by 1, 2),
          proved as (
            select run.run_id, run.type, run.ended_at, run.status, run.code, run.result, run.workload, run.location_id, null as location_name from runs run
            where run.tenant_id = ${tenantId} and run.type in ('verify', 'drill') and run.status in ('successful', 'defective', 'failed'))
          select workload, max(newest) as newest,
            (select to_jsonb(proved) from proved where proved.type = 'drill' and proved.workload = held.workload order by ended_at desc limit 1) as drill,
            (select to_jsonb(proved) from proved where proved.type = 'verify' and proved.location_id = any(array_agg(held.location_id))
              order by ended_at desc limit 1) as verification
          from held group by workload`.execute(tx);
        return workloads.flatMap((workload) => {
          const row = rows.find((one) => one.workload === workload);
          if (row === undefined) return [];
          return [
            {
              workload,
              newestPointAt: row.newest?.toISOString() ?? null,
              drill: proofOf(row.drill, now),
              verification: proofOf(row.verification, now),
            },
          ];
        });
      });
    },
  });
}
