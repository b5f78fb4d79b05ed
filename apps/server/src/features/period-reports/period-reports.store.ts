import type { PeriodReport, ReportFigures } from '@holdfast/contract/period-reports';
import type { Page } from '@holdfast/contract/paging';
import type { Insertable, Selectable } from 'kysely';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { Language } from '../../http/language.ts';
import { pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { shownStatus } from '../../runs/index.ts';
import type { Period } from './period.ts';

export type PeriodReportRow = Selectable<OrganisationTables['period_reports']>;
export type NewPeriodReport = Omit<Insertable<OrganisationTables['period_reports']>, 'figures'> & { readonly figures: ReportFigures };

export interface PeriodReportsQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly kind?: PeriodReport['kind'] | undefined;
}

const columns = { reportNumber: 'number', madeAt: 'made_at', from: 'from_at' } as const;
/** After this time nobody waits for the mail or the file of a report any more. */
const UNFINISHED_DAYS = 7;
/** A run that has failed is not tried again at once: somebody has to do something first. */
const AGAIN_MS = 6 * 3_600_000;

export function periodReportOf(row: PeriodReportRow): PeriodReport {
  return {
    reportId: row.report_id,
    reportNumber: row.number,
    kind: row.kind,
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    madeAt: row.made_at.toISOString(),
    maker: row.maker,
    language: row.language,
    isStored: row.document_id !== null,
  };
}

export async function listPeriodReports(tx: Tx, tenantId: string, query: PeriodReportsQuery): Promise<Page<PeriodReport>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof columns>(query.sort, { column: 'madeAt', isDescending: true });
  const { kind } = query;
  const matching = tx
    .selectFrom('period_reports')
    .where('tenant_id', '=', tenantId)
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind ?? 'monthly'));
  const rows = await matching
    .selectAll()
    .orderBy(columns[column], isDescending ? 'desc' : 'asc')
    .orderBy('report_id')
    .limit(window.limit)
    .offset(window.offset)
    .execute();
  const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return pageFrom(rows.map(periodReportOf), total, window);
}

export function readPeriodReport(tx: Tx, tenantId: string, reportId: string): Promise<PeriodReportRow | undefined> {
  return tx.selectFrom('period_reports').selectAll().where('tenant_id', '=', tenantId).where('report_id', '=', reportId).executeTakeFirst();
}

/** The number of the next report that somebody asks for in a month: 202610001 is the first of October 2026. */
export async function nextNumber(tx: Tx, tenantId: string, month: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('period reports ' || ${tenantId}, 0))`.execute(tx);
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from period_reports
    where tenant_id = ${tenantId} and kind = 'onDemand' and number between ${month * 1000} and ${month * 1000 + 999}`.execute(tx);
  return (rows[0]?.last ?? month * 1000) + 1;
}

/** Keeps a report with its accounts. False when there is one of this month already. */
export async function keepPeriodReport(tx: Tx, { figures, ...report }: NewPeriodReport, period: Period): Promise<boolean> {
  const row = await tx
    .insertInto('period_reports')
    .values({ ...report, figures: JSON.stringify(figures) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('report_id')
    .executeTakeFirst();
  if (!row) return false;
  await sql`
    insert into period_report_accounts (report_id, resource_id, name, address, kind, status, processed, items, bytes, errors, code, started_at, ended_at)
    select ${row.report_id}, resource.resource_id, resource.name, resource.address, resource.kind,
      (array_agg(${shownStatus} order by account.ended_at desc nulls last))[1],
      sum(account.processed)::bigint, sum(account.items)::bigint, sum(account.bytes)::bigint, sum(account.errors)::bigint,
      (array_agg(account.code order by account.ended_at desc nulls last))[1], min(account.started_at), max(account.ended_at)
    from run_accounts account
    join runs run using (organisation_id, realm, run_id)
    join resources resource using (organisation_id, realm, resource_id)
    where run.tenant_id = ${period.tenantId} and run.ended_at >= ${period.from} and run.ended_at < ${period.to}
    group by resource.resource_id, resource.name, resource.address, resource.kind`.execute(tx);
  return true;
}

export interface TenantDue {
  readonly tenant_id: string;
  readonly time_zone: string;
  readonly language: Language;
}

/** The tenants of an organisation in which something has ever run, with the clock of the organisation. */
export async function reportedTenants(tx: Tx): Promise<readonly TenantDue[]> {
  const { rows } = await sql<TenantDue>`
    select tenant.tenant_id, coalesce(organisation.time_zone, 'UTC') as time_zone, organisation.report_language as language
    from tenants tenant join organisations organisation using (organisation_id, realm)
    where exists (select from runs where runs.tenant_id = tenant.tenant_id) order by tenant.tenant_id`.execute(tx);
  return rows;
}

/** Whether a month needs a report: none is there yet, and something ended before the month did. */
export async function isMonthDue(tx: Tx, { tenantId, from, to }: Period): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select not exists (select from period_reports where tenant_id = ${tenantId} and kind = 'monthly' and from_at = ${from})
      and exists (select from runs where tenant_id = ${tenantId} and ended_at < ${to}) as due`.execute(tx);
  return rows[0]?.due ?? false;
}

/** Reports of a tenant whose file is not stored, and those of months that are not mailed yet. */
export function unfinishedReports(tx: Tx, tenantId: string, at: Date): Promise<readonly PeriodReportRow[]> {
  return tx
    .selectFrom('period_reports')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('made_at', '>', new Date(at.getTime() - UNFINISHED_DAYS * 86_400_000))
    .where((where) =>
      where.or([where('document_id', 'is', null), where.and([where('mailed_at', 'is', null), where('kind', '=', 'monthly')])]),
    )
    .orderBy('made_at')
    .execute();
}

/** Whether a run has to make the report of a month or finish another: none is under way, and none has failed lately. */
export async function isOwed(tx: Tx, month: Period, at: Date): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from runs where tenant_id = ${month.tenantId} and type = 'monthlyReport'
      and (ended_at is null or (status <> 'successful' and ended_at > ${new Date(at.getTime() - AGAIN_MS)}))) as busy`.execute(tx);
  if (rows[0]?.busy ?? true) return false;
  return (await isMonthDue(tx, month)) || (await unfinishedReports(tx, month.tenantId, at)).length > 0;
}

export async function noteStored(tx: Tx, reportId: string, documentId: string): Promise<void> {
  await tx.updateTable('period_reports').set({ document_id: documentId }).where('report_id', '=', reportId).execute();
}

/** False when it was noted before: somebody else mails it. */
export async function noteMailed(tx: Tx, reportId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('period_reports')
    .set({ mailed_at: at })
    .where('report_id', '=', reportId)
    .where('mailed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
