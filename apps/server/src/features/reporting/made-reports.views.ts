import { restoringTypes } from '@holdfast/contract/jobs';
import type { MonthlyReport } from '@holdfast/contract/reporting';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

type MonthRow = Omit<MonthlyReport, 'reportDate' | 'from' | 'to'> & { readonly from: Date; readonly to: Date };

/** Months whose report is made: what it says is not counted again. */
export async function madeMonths(tx: Tx, tenantId: string): Promise<readonly MonthlyReport[]> {
  const sumOf = (name: string, condition = sql`true`): RawBuilder<unknown> =>
    sql`(select coalesce(sum((ran->>${name})::bigint), 0)::bigint from jsonb_array_elements(figures->'runs') ran where ${condition})`;
  const { rows } = await sql<MonthRow>`
    select report_id as "reportId", number as "reportNumber", from_at as "from", to_at as "to", ${sumOf('runs')} as runs,
      ${sumOf('successful')} as successful, ${sumOf('defective')} as defective, ${sumOf('failed')} as failed, ${sumOf('skipped')} as skipped,
      (figures->>'items')::bigint as items, (figures->>'bytes')::bigint as bytes, (figures->>'accounts')::bigint as accounts,
      ${sumOf('runs', sql`ran->>'type' = any(${[...restoringTypes]})`)} as restores
    from period_reports where tenant_id = ${tenantId} and kind = 'monthly'`.execute(tx);
  return rows.map(({ from, to, ...row }) => ({ ...row, reportDate: to.toISOString(), from: from.toISOString(), to: to.toISOString() }));
}

/** Whether a report of a month or another period is made: its accounts are kept. */
export async function isReportMade(tx: Tx, tenantId: string, reportId: string): Promise<boolean> {
  const { rows } = await sql<{ made: boolean }>`
    select exists (select from period_reports where tenant_id = ${tenantId} and report_id = ${reportId}) as made`.execute(tx);
  return rows[0]?.made ?? false;
}

/** The accounts of a report as they were when it was made. */
export function madeAccounts(reportId: string): RawBuilder<unknown> {
  return sql`(
    select resource_id, name, address, kind, status, processed, items, bytes, errors, code, started_at, ended_at
    from period_report_accounts where report_id = ${reportId}) shown`;
}
