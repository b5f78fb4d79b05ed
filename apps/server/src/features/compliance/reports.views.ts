import type { reportAccountsQuery, reportsQuery } from '@holdfast/contract/compliance';
import type { DataManagementAccount, DataManagementFigures, DataManagementReport } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';

type Counts = DataManagementReport['counts'];

/** What is counted before the first scan. */
export const noCounts: Counts = {
  sites: 0,
  files: 0,
  bytes: 0,
  versions: 0,
  versionBytes: 0,
  deleted: 0,
  duplicates: 0,
  exposed: 0,
  duplicateBytes: 0,
};

interface ReportRow {
  readonly scan_id: string;
  readonly number: number;
  readonly ended_at: Date;
  readonly kind: DataManagementReport['kind'];
  readonly figures: Counts & Pick<DataManagementFigures, 'ageBuckets' | 'due'>;
  readonly accounts: number;
}

function reportOf({ figures, ...row }: ReportRow): DataManagementReport {
  const { ageBuckets: _ages, due: _due, ...counts } = figures;
  return {
    reportId: row.scan_id,
    reportNumber: row.number,
    reportDate: row.ended_at.toISOString(),
    kind: row.kind,
    counts,
    accounts: row.accounts,
  };
}

/** Reports of the scans that have ended well. */
export async function reportsPage(tx: Tx, tenantId: string, query: z.output<typeof reportsQuery>): Promise<Page<DataManagementReport>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<'reportNumber' | 'reportDate'>(query.sort, { column: 'reportNumber', isDescending: true });
  const kind = query.kind === undefined ? sql`true` : sql`kind = ${query.kind}`;
  const where = sql`tenant_id = ${tenantId} and ${kind}`;
  const order = sql.raw(`${column === 'reportDate' ? 'ended_at' : 'number'} ${isDescending ? 'desc' : 'asc'}`);
  const { rows } = await sql<ReportRow>`
    select scan_id, number, ended_at, kind, figures,
      (select count(*)::bigint from compliance_scan_sites site where site.scan_id = scan.scan_id) as accounts
    from compliance_scans scan where ${where} order by ${order}, scan_id limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from compliance_scans where ${where}`.execute(tx);
  return pageFrom(rows.map(reportOf), counted.rows[0]?.total ?? 0, window);
}

/** One report with the age of the files in it; undefined when there is none. */
export async function reportWithAges(tx: Tx, { tenantId, reportId }: { readonly tenantId: string; readonly reportId: string }) {
  const { rows } = await sql<ReportRow>`
    select scan_id, number, ended_at, kind, figures,
      (select count(*)::bigint from compliance_scan_sites site where site.scan_id = scan.scan_id) as accounts
    from compliance_scans scan where tenant_id = ${tenantId} and scan_id = ${reportId}`.execute(tx);
  const [row] = rows;
  return row && { report: reportOf(row), ages: row.figures.ageBuckets };
}

const accountOrders = {
  name: 'lower(name)',
  items: 'files',
  bytes: 'bytes',
  versionBytes: 'version_bytes',
  deleted: 'deleted',
  duplicates: 'duplicates',
  exposed: 'exposed',
} as const;

/** The sites and drives of a report; undefined when there is no such report. */
export async function accountsPage(
  tx: Tx,
  report: { readonly tenantId: string; readonly reportId: string },
  query: z.output<typeof reportAccountsQuery>,
): Promise<Page<DataManagementAccount> | undefined> {
  const { rows: known } =
    await sql`select from compliance_scans where tenant_id = ${report.tenantId} and scan_id = ${report.reportId}`.execute(tx);
  if (known.length === 0) return undefined;
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof accountOrders>(query.sort, { column: 'name', isDescending: false });
  const parts = [sql`scan_id = ${report.reportId}`];
  if (query.kind !== undefined) parts.push(sql`kind = ${query.kind}`);
  if (query.search !== undefined) parts.push(sql`(name ilike ${likePattern(query.search)} or url ilike ${likePattern(query.search)})`);
  const where = sql.join(parts, sql` and `);
  const { rows } = await sql<Omit<DataManagementAccount, 'status' | 'errors'>>`
    select resource_id as "siteId", name, url, kind, files as items, bytes, versions, version_bytes as "versionBytes", deleted, duplicates, exposed
    from compliance_scan_sites where ${where} order by ${sql.raw(`${accountOrders[column]} ${isDescending ? 'desc' : 'asc'}`)}, resource_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from compliance_scan_sites where ${where}`.execute(tx);
  const items = rows.map((row): DataManagementAccount => ({ ...row, status: 'successful', errors: 0 }));
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}
