import type { CaseFile } from '@holdfast/contract/case-values';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable } from 'kysely';

/** The files and folders of a case, with the place where the newest restore points have them; null once nothing is kept. */
export async function filesOf(tx: Tx, caseId: string): Promise<CaseFile[]> {
  const { rows } = await sql<
    Omit<CaseFile, 'addedAt' | 'place'> & { added_at: Date; location_id: string | null; source_id: string | null }
  >`
    select file.file_id as "fileId", resource.name as "siteName", file.item_key as "nodeId", file.name, file.is_container as "isContainer",
      file.note, file.adder, file.added_at, kept.location_id, kept.source_id
    from case_files file join resources resource using (organisation_id, realm, resource_id)
    left join lateral (select source.location_id, source.source_id from catalog_sources source
      where source.organisation_id = file.organisation_id and source.realm = file.realm and source.resource_id = file.resource_id
        and source.points > 0 and exists (select from catalog_items item where item.organisation_id = file.organisation_id
          and item.realm = file.realm and item.source_id = source.source_id and item.item_key = file.item_key)
      order by source.newest_point_at desc nulls last, source.source_id limit 1) kept on true
    where file.case_id = ${caseId} order by resource.name, file.is_container desc, lower(file.name), file.file_id`.execute(tx);
  return rows.map(({ added_at, location_id, source_id, ...file }) => ({
    ...file,
    addedAt: added_at.toISOString(),
    place: location_id === null || source_id === null ? null : { locationId: location_id, sourceId: source_id },
  }));
}

/** Adds files that are not in the case yet; answers the names of those that were added. */
export async function addFiles(tx: Tx, rows: readonly Insertable<OrganisationTables['case_files']>[]): Promise<string[]> {
  const added = await tx
    .insertInto('case_files')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  return added.map(({ name }) => name);
}

export async function countFiles(tx: Tx, caseId: string): Promise<number> {
  const { rows } = await sql<{ files: number }>`select count(*)::bigint as files from case_files where case_id = ${caseId}`.execute(tx);
  return rows[0]?.files ?? 0;
}

/** Answers the name of the file that was removed. */
export async function removeFile(tx: Tx, caseId: string, fileId: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('case_files')
    .where('case_id', '=', caseId)
    .where('file_id', '=', fileId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}
