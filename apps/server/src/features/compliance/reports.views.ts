import type { reportAccountsQuery, reportsQuery, scansQuery } from '@holdfast/contract/compliance';
import type { DataManagementAccount, DataManagementReport, Scan } from '@holdfast/contract/compliance-values';
import type { Page } from '@holdfast/contract/paging';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import type { z } from 'zod';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';

interface ScanRow {
  readonly scan_id: string;
  readonly number: number;
  readonly kind: Scan['kind'];
  readonly status: Scan['status'];
  readonly started_by: string | null;
  readonly queued_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly sites: number;
  readonly sites_done: number;
  readonly processed: number;
  readonly code: string | null;
}

function scanOf(row: ScanRow): Scan {
  return {
    reportId: row.scan_id,
    reportNumber: row.number,
    kind: row.kind,
    status: row.status,
    startedBy: row.started_by,
    queuedAt: row.queued_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    sites: row.sites,
    sitesDone: row.sites_done,
    processed: row.processed,
    code: row.code,
  };
}

const scanOrders = { reportNumber: 'number', queuedAt: 'queued_at', endedAt: 'ended_at' } as const;

/** Scans of a tenant, the newest first unless asked otherwise. */
export async function scansPage(tx: Tx, tenantId: string, query: z.output<typeof scansQuery>): Promise<Page<Scan>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<keyof typeof scanOrders>(query.sort, { column: 'reportNumber', isDescending: true });
  const parts = [sql`tenant_id = ${tenantId}`];
  if (query.status !== undefined) parts.push(sql`status = ${query.status}`);
  if (query.kind !== undefined) parts.push(sql`kind = ${query.kind}`);
  const where = sql.join(parts, sql` and `);
  const { rows } = await sql<ScanRow>`
    select scan_id, number, kind, status, started_by, queued_at, started_at, ended_at, sites, sites_done, processed, code
    from compliance_scans where ${where} order by ${sql.raw(`${scanOrders[column]} ${isDescending ? 'desc' : 'asc'} nulls last`)}, scan_id
    limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from compliance_scans where ${where}`.execute(tx);
  return pageFrom(rows.map(scanOf), counted.rows[0]?.total ?? 0, window);
}

type Counts = DataManagementReport['counts'];

/** What a scan that failed has counted. */
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
  readonly kind: Scan['kind'];
  readonly status: DataManagementReport['status'];
  readonly figures: (Counts & { readonly ageBuckets: unknown }) | null;
  readonly accounts: number;
}

function reportOf({ figures, ...row }: ReportRow): DataManagementReport {
  const { ageBuckets: _ages, ...counts } = figures ?? { ...noCounts, ageBuckets: [] };
  return {
    reportId: row.scan_id,
    reportNumber: row.number,
    reportDate: row.ended_at.toISOString(),
    kind: row.kind,
    status: row.status,
    counts,
    accounts: row.accounts,
  };
}

/** Reports of the scans that have ended. */
export async function reportsPage(tx: Tx, tenantId: string, query: z.output<typeof reportsQuery>): Promise<Page<DataManagementReport>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf<'reportNumber' | 'reportDate'>(query.sort, { column: 'reportNumber', isDescending: true });
  const kind = query.kind === undefined ? sql`true` : sql`kind = ${query.kind}`;
  const where = sql`tenant_id = ${tenantId} and status in ('successful', 'failed') and ${kind}`;
  const order = sql.raw(`${column === 'reportDate' ? 'ended_at' : 'number'} ${isDescending ? 'desc' : 'asc'}`);
  const { rows } = await sql<ReportRow>`
    select scan_id, number, ended_at, kind, status, figures,
      (select count(*)::bigint from compliance_scan_sites site where site.scan_id = scan.scan_id) as accounts
    from compliance_scans scan where ${where} order by ${order}, scan_id limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from compliance_scans where ${where}`.execute(tx);
  return pageFrom(rows.map(reportOf), counted.rows[0]?.total ?? 0, window);
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
  const { rows: known } = await sql`select from compliance_scans where tenant_id = ${report.tenantId} and scan_id = ${report.reportId}
    and status in ('successful', 'failed')`.execute(tx);
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
