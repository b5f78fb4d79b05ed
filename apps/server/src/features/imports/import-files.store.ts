import { importPartBytes, type ImportFile } from '@holdfast/contract/imports';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable } from 'kysely';

export type ImportFileRow = Selectable<OrganisationTables['import_files']>;

/** A part whose bytes are in the vault. */
export interface StoredPart {
  readonly part: number;
  readonly objectId: string;
}

/** In how many parts a file comes. */
export const partsOf = (sizeBytes: number): number => Math.ceil(sizeBytes / importPartBytes);

export async function importFileOf(tx: Tx, row: ImportFileRow): Promise<ImportFile> {
  const stored = await storedParts(tx, row.file_id);
  return {
    fileId: row.file_id,
    name: row.name,
    sizeBytes: row.size_bytes,
    received: stored.map(({ part }) => part),
    parts: partsOf(row.size_bytes),
    uploader: row.uploader,
    createdAt: row.created_at.toISOString(),
  };
}

export function findImportFile(tx: Tx, tenantId: string, fileId: string): Promise<ImportFileRow | undefined> {
  return tx.selectFrom('import_files').selectAll().where('tenant_id', '=', tenantId).where('file_id', '=', fileId).executeTakeFirst();
}

export function importFilesOf(tx: Tx, tenantId: string): Promise<ImportFileRow[]> {
  return tx
    .selectFrom('import_files')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('file_id')
    .execute();
}

export async function addImportFile(tx: Tx, row: Insertable<OrganisationTables['import_files']>): Promise<void> {
  await tx.insertInto('import_files').values(row).execute();
}

export async function storedParts(tx: Tx, fileId: string): Promise<StoredPart[]> {
  const rows = await tx
    .selectFrom('import_parts')
    .select(['part', 'object_id'])
    .where('file_id', '=', fileId)
    .where('is_stored', '=', true)
    .orderBy('part')
    .execute();
  return rows.map(({ part, object_id: objectId }) => ({ part, objectId }));
}

/** Every object of a file, those included whose upload was interrupted. */
export async function objectsOf(tx: Tx, fileId: string): Promise<string[]> {
  const rows = await tx.selectFrom('import_parts').select('object_id').where('file_id', '=', fileId).execute();
  return rows.map(({ object_id }) => object_id);
}

/**
 * Notes that a part is coming, so that an interrupted one is found. Answers the object of an earlier try that did not end;
 * `stored` when the part is there already.
 */
export async function expectPart(
  tx: Tx,
  place: { readonly fileId: string; readonly part: number },
  objectId: string,
): Promise<string | null> {
  const { fileId: file_id, part } = place;
  const known = await tx
    .selectFrom('import_parts')
    .select(['object_id', 'is_stored'])
    .where('file_id', '=', file_id)
    .where('part', '=', part)
    .forUpdate()
    .executeTakeFirst();
  if (known?.is_stored) return 'stored';
  await tx
    .insertInto('import_parts')
    .values({ file_id, part, object_id: objectId })
    .onConflict((taken) => taken.columns(['organisation_id', 'realm', 'file_id', 'part']).doUpdateSet({ object_id: objectId }))
    .execute();
  return known?.object_id ?? null;
}

/** False when another try of the same part has taken its place meanwhile. */
export async function notePartStored(
  tx: Tx,
  { fileId, part, at }: { readonly fileId: string; readonly part: number; readonly at: Date },
  objectId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_parts')
    .set({ is_stored: true })
    .where('file_id', '=', fileId)
    .where('part', '=', part)
    .where('object_id', '=', objectId)
    .executeTakeFirst();
  await tx.updateTable('import_files').set({ touched_at: at }).where('file_id', '=', fileId).execute();
  return numUpdatedRows > 0n;
}

export async function forgetImportFile(tx: Tx, fileId: string): Promise<void> {
  await tx.deleteFrom('import_files').where('file_id', '=', fileId).execute();
}

/** Files whose last part came so long ago, but for those that an import is reading. */
export function abandonedFiles(tx: Tx, before: Date): Promise<ImportFileRow[]> {
  return tx
    .selectFrom('import_files')
    .selectAll()
    .where('touched_at', '<', before)
    .where(
      sql<boolean>`not exists (select from runs join jobs using (organisation_id, realm, job_id)
        where runs.status in ('pending', 'running', 'cancelling') and jobs.body #>> '{import,source,fileId}' = import_files.file_id::text)`,
    )
    .execute();
}
