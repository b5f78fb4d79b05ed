import type { Evidence, MonthlyReport } from '@holdfast/contract/reporting';
import type { RunAccount } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import { pageFrom, windowOf } from '../../paging.ts';
import { monthOf, reportIdOf } from './report-id.ts';

export interface ReportsViews {
  /** One report a month, newest first, of months in which something ran. */
  monthly(scope: Scope, tenantId: string): Promise<MonthlyReport[]>;
  /** The resources of a month, each with all that ran on it; undefined when the id names no month. */
  monthAccounts(
    scope: Scope,
    place: { readonly tenantId: string; readonly reportId: string },
    query: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<RunAccount> | undefined>;
  /** Verifications and drills, newest first. */
  evidence(scope: Scope, tenantId: string, now: Date): Promise<Evidence[]>;
}

interface MonthRow {
  readonly month: Date;
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

function nextMonth(month: Date): Date {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
}

function reportOf(tenantId: string, { month, ...figures }: MonthRow): MonthlyReport {
  return {
    reportId: reportIdOf(tenantId, month),
    reportNumber: month.getUTCFullYear() * 100 + month.getUTCMonth() + 1,
    reportDate: nextMonth(month).toISOString(),
    from: month.toISOString(),
    to: nextMonth(month).toISOString(),
    ...figures,
  };
}

interface EvidenceRow {
  readonly run_id: string;
  readonly type: 'verify' | 'drill';
  readonly ended_at: Date;
  readonly status: string;
  readonly location_name: string | null;
  readonly result: { readonly checked?: number; readonly checkedBytes?: number; readonly deviations?: number } | null;
}

/** Evidence older than this proves nothing about today. */
const OVERDUE_MS = 30 * 24 * 3_600_000;

function evidenceOf(row: EvidenceRow, now: Date): Evidence {
  const deviations = row.result?.deviations ?? (row.status === 'failed' ? 1 : 0);
  const isOld = now.getTime() - row.ended_at.getTime() > OVERDUE_MS;
  return {
    runId: row.run_id,
    kind: row.type,
    at: row.ended_at.toISOString(),
    state: deviations > 0 ? 'deviation' : isOld ? 'overdue' : 'verified',
    locationName: row.location_name ?? '',
    checked: row.result?.checked ?? 0,
    checkedBytes: row.result?.checkedBytes ?? 0,
    deviations,
  };
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

function createMonthAccounts(database: Database): ReportsViews['monthAccounts'] {
  return (scope, { tenantId, reportId }, query) => {
    const window = windowOf(query);
    return database.within(scope, async (tx) => {
      const first = await sql<{ first: Date | null }>`select min(queued_at) as first from runs where tenant_id = ${tenantId}`.execute(tx);
      const month = monthOf(tenantId, reportId, first.rows[0]?.first ?? null);
      if (month === undefined) return undefined;
      const { rows } = await sql<MonthAccountRow>`
        select resource.resource_id, resource.name, resource.address, resource.kind,
          (array_agg(account.status order by account.ended_at desc nulls last))[1] as status,
          sum(account.processed)::bigint as processed, sum(account.items)::bigint as items, sum(account.bytes)::bigint as bytes,
          sum(account.errors)::bigint as errors, (array_agg(account.code order by account.ended_at desc nulls last))[1] as code,
          min(account.started_at) as started_at, max(account.ended_at) as ended_at, count(*) over ()::bigint as total_rows
        from run_accounts account
        join runs run using (organisation_id, realm, run_id)
        join resources resource using (organisation_id, realm, resource_id)
        where run.tenant_id = ${tenantId} and run.queued_at >= ${month} and run.queued_at < ${nextMonth(month)}
        group by resource.resource_id, resource.name, resource.address, resource.kind
        order by lower(resource.name), resource.resource_id limit ${window.limit} offset ${window.offset}`.execute(tx);
      return pageFrom(rows.map(monthAccountOf), rows[0]?.total_rows ?? 0, window);
    });
  };
}

export function createReportsViews(database: Database): ReportsViews {
  return Object.freeze<ReportsViews>({
    monthAccounts: createMonthAccounts(database),
    monthly(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<MonthRow>`
          select date_trunc('month', queued_at) as month, count(*)::bigint as runs,
            count(*) filter (where status = 'successful') as successful, count(*) filter (where status = 'defective') as defective,
            count(*) filter (where status = 'failed') as failed, count(*) filter (where status = 'skipped') as skipped,
            sum(added + changed)::bigint as items, sum(bytes)::bigint as bytes, sum(accounts)::bigint as accounts,
            count(*) filter (where type = 'restore') as restores
          from runs where tenant_id = ${tenantId} and ended_at is not null
          group by 1 order by 1 desc limit 120`.execute(tx);
        return rows.map((row) => reportOf(tenantId, row));
      });
    },
    evidence(scope, tenantId, now) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<EvidenceRow>`
          select run.run_id, run.type, run.ended_at, run.status, location.name as location_name, run.result
          from runs run left join locations location using (organisation_id, realm, location_id)
          where run.tenant_id = ${tenantId} and run.type in ('verify', 'drill') and run.status in ('successful', 'defective', 'failed')
          order by run.ended_at desc limit 100`.execute(tx);
        return rows.map((row) => evidenceOf(row, now));
      });
    },
  });
}
