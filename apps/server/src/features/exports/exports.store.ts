import type { ContentExport, ExportStatus } from '@holdfast/contract/exports';
import type { Page } from '@holdfast/contract/paging';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type RawBuilder } from 'kysely';
import { pageFrom, type PageWindow } from '../../http/paging.ts';
import { failedIn } from './export-files.store.ts';
import type { ExportRow } from './export-rows.ts';

export async function addExport(tx: Tx, row: Insertable<OrganisationTables['exports']>): Promise<void> {
  await tx.insertInto('exports').values(row).execute();
}

export function findExport(tx: Tx, tenantId: string, exportId: string): Promise<ExportRow | undefined> {
  return tx.selectFrom('exports').selectAll().where('export_id', '=', exportId).where('tenant_id', '=', tenantId).executeTakeFirst();
}

/** The run that makes an export from now on. */
export async function setRun(tx: Tx, exportId: string, runId: string): Promise<void> {
  await tx.updateTable('exports').set({ run_id: runId }).where('export_id', '=', exportId).execute();
}

export async function signExport(tx: Tx, exportId: string, seal: { readonly hash: string; readonly signature: string }): Promise<void> {
  const signed = { manifest_hash: seal.hash, signature: seal.signature };
  await tx.updateTable('exports').set(signed).where('export_id', '=', exportId).execute();
}

/** What could not be read is read again, with every file that was made without it. What is not there at all stays an error. */
export async function tryAgain(tx: Tx, exportId: string): Promise<void> {
  await sql`update export_files file set sha256 = null, size_bytes = null
    where file.export_id = ${exportId} and file.kind in ('mbox', 'index') and exists (
      select from export_items item where item.export_id = ${exportId} and item.code is not null and item.file_no is not null
        and (item.file_no = file.file_no or item.item_no between file.first_item and file.last_item))`.execute(tx);
  await sql`update export_files set code = null where export_id = ${exportId} and code is not null`.execute(tx);
  await sql`update export_items set code = null where export_id = ${exportId} and code is not null and file_no is not null`.execute(tx);
  await tx.updateTable('exports').set({ manifest_hash: null, signature: null }).where('export_id', '=', exportId).execute();
}

export async function removeExport(tx: Tx, exportId: string): Promise<void> {
  await tx.deleteFrom('exports').where('export_id', '=', exportId).execute();
}

/** A selection stays as long as the export that was made of it. */
export async function keepSelectionUntil(tx: Tx, selectionId: string, until: Date): Promise<void> {
  await sql`update search_selections set expires_at = greatest(expires_at, ${until}) where selection_id = ${selectionId}`.execute(tx);
}

/** Forgets the files of exports whose time is over. That they were made stays known. */
export async function expireExports(tx: Tx, at: Date): Promise<void> {
  const { rows } = await sql<{ export_id: string }>`update exports set expired_at = ${at}
    where expired_at is null and expires_at <= ${at} returning export_id`.execute(tx);
  for (const { export_id: exportId } of rows) {
    await tx.deleteFrom('export_items').where('export_id', '=', exportId).execute();
    await tx.deleteFrom('export_files').where('export_id', '=', exportId).execute();
  }
}

/** Exports that somebody sees in a list. */
export interface ExportsWanted {
  readonly tenantId: string;
  readonly ownerId: string;
  /** Those of a case, whoever made them. */
  readonly caseId?: string | undefined;
  readonly exportId?: string | undefined;
  readonly search?: string | undefined;
}

type Row = Omit<ContentExport, 'createdAt' | 'expiresAt' | 'status'> & {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly status: ExportStatus | null;
  readonly is_expired: boolean;
};

function whereOf({ tenantId, ownerId, caseId, exportId, search }: ExportsWanted): RawBuilder<unknown> {
  const parts = [sql`one.tenant_id = ${tenantId}`];
  if (caseId !== undefined) parts.push(sql`one.case_id = ${caseId}`);
  if (exportId !== undefined) parts.push(sql`one.export_id = ${exportId}`);
  if (caseId === undefined && exportId === undefined) parts.push(sql`one.owner_id = ${ownerId}`);
  if (search !== undefined) parts.push(sql`strpos(lower(one.name || ' ' || one.query), lower(${search})) > 0`);
  return sql.join(parts, sql` and `);
}

/** A page of exports with how far each has got. */
export async function exportsPage(
  tx: Tx,
  wanted: ExportsWanted,
  { sort }: { readonly sort?: string | undefined },
  window: PageWindow,
): Promise<Page<ContentExport>> {
  const where = whereOf(wanted);
  const order = sort === 'createdAt' ? sql`asc` : sql`desc`;
  const { rows } = await sql<Row>`
    select one.export_id as "exportId", one.name, one.format, one.query, one.case_id as "caseId", one.owner, one.created_at as "createdAt",
      one.expires_at as "expiresAt", run.status, run.code, one.run_id as "runId", one.items, one.size_bytes as bytes,
      one.manifest_hash as "manifestHash", one.expired_at is not null as is_expired, files.read, files.files, ${failedIn(sql`one.export_id`)} as failed, files.parts
    from exports one
    left join runs run on run.organisation_id = one.organisation_id and run.realm = one.realm and run.run_id = one.run_id
    cross join lateral (
      select (count(*) filter (where file.sha256 is not null and file.kind <> 'paper'))::bigint as read,
        (count(*) filter (where file.kind <> 'paper'))::bigint as files,
        coalesce((select jsonb_agg(jsonb_build_object('part', part, 'files', files, 'bytes', bytes) order by part) from (
          select part, count(*) as files, sum(size_bytes) as bytes from export_files inner_file
          where inner_file.export_id = one.export_id and inner_file.part is not null group by part) parts), '[]') as parts
      from export_files file where file.organisation_id = one.organisation_id and file.realm = one.realm and file.export_id = one.export_id) files
    where ${where} order by one.created_at ${order}, one.export_id limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from exports one where ${where}`.execute(tx);
  return pageFrom(rows.map(shownAs), counted.rows[0]?.total ?? 0, window);
}

/** Parts are shown when the manifest that names their files is signed. */
function shownAs({ is_expired: isExpired, status, parts, ...row }: Row): ContentExport {
  return {
    ...row,
    parts: row.manifestHash === null ? [] : parts,
    status: isExpired ? 'expired' : (status ?? 'failed'),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
