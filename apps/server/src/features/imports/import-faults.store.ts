import type { ImportFault } from '@holdfast/contract/imports';
import type { Page } from '@holdfast/contract/paging';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable } from 'kysely';
import { pageFrom, windowOf } from '../../http/paging.ts';

/** The newest run of an import. */
export interface ImportRun {
  readonly runId: string;
  readonly status: string;
  readonly result: unknown;
}

/** Whether there is such an import, and its newest run. */
export async function newestRun(
  tx: Tx,
  tenantId: string,
  jobId: string,
): Promise<{ readonly dryRun: boolean; readonly run: ImportRun | undefined } | undefined> {
  const { rows } = await sql<{ dry_run: boolean; run_id: string | null; status: string | null; result: unknown }>`
    select coalesce((job.body #>> '{import,dryRun}')::boolean, false) as dry_run, run.run_id, run.status, run.result
    from jobs job left join lateral (select run_id, status, result from runs where runs.job_id = job.job_id
      order by queued_at desc, run_id desc limit 1) run on true
    where job.tenant_id = ${tenantId} and job.job_id = ${jobId} and job.type = 'import'`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const { run_id: runId, status, result } = row;
  return { dryRun: row.dry_run, run: runId === null || status === null ? undefined : { runId, status, result } };
}

/** Keeps a piece that is no message. False when an earlier attempt of the run has kept it. */
export async function addFault(tx: Tx, row: Insertable<OrganisationTables['import_faults']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('import_faults')
    .values(row)
    .onConflict((taken) => taken.columns(['organisation_id', 'realm', 'run_id', 'place']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function faultsPage(
  tx: Tx,
  runId: string,
  query: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Page<ImportFault>> {
  const window = windowOf(query);
  const of = tx.selectFrom('import_faults').where('run_id', '=', runId);
  const rows = await of.selectAll().orderBy('place').limit(window.limit).offset(window.offset).execute();
  const { total } = await of.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const items = rows.map((row) => ({
    faultId: row.fault_id,
    fileName: row.file_name,
    offset: row.offset_at,
    code: row.code,
    sizeBytes: row.size_bytes,
  }));
  return pageFrom(items, total, window);
}

export function findFault(tx: Tx, runId: string, faultId: string) {
  return tx.selectFrom('import_faults').selectAll().where('run_id', '=', runId).where('fault_id', '=', faultId).executeTakeFirst();
}
