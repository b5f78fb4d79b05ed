import type { DocumentFile, DocumentType } from '@holdfast/contract/documents';
import type { Page } from '@holdfast/contract/paging';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable } from 'kysely';
import { likePattern, pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import { readOrganisation } from '../organisations/index.ts';

export type DocumentRow = Selectable<OrganisationTables['documents']>;

/** The name of a document within its organisation. */
export interface NameInOrganisation {
  readonly fileName: string;
  readonly documentType: DocumentType;
}

export interface DocumentsQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
}

const columns = { fileName: 'file_name', size: 'size_bytes', uploadedBy: 'uploader', uploadedAt: 'uploaded_at' } as const;

export function documentOf(row: DocumentRow, abbr: string): DocumentFile {
  return {
    abbr,
    fileName: row.file_name,
    documentType: row.kind,
    size: row.size_bytes,
    uploadedBy: row.uploader,
    uploadedAt: row.uploaded_at.toISOString(),
  };
}

/** Documents of one kind, newest first unless the reader asks otherwise. */
export async function listDocuments(tx: Tx, kind: DocumentType, query: DocumentsQuery): Promise<Page<DocumentFile>> {
  const window = windowOf(query);
  const { column, isDescending } = sortOf(query.sort as keyof typeof columns | undefined, { column: 'uploadedAt', isDescending: true });
  const matching = tx
    .selectFrom('documents')
    .where('kind', '=', kind)
    .where('state', '=', 'stored')
    .$if(query.search !== undefined && query.search !== '', (all) => all.where('file_name', 'ilike', likePattern(query.search ?? '')));
  const rows = await matching
    .selectAll()
    .orderBy(columns[column as keyof typeof columns], isDescending ? 'desc' : 'asc')
    .orderBy('document_id')
    .limit(window.limit)
    .offset(window.offset)
    .execute();
  const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const abbr = (await readOrganisation(tx))?.abbr ?? '';
  return pageFrom(
    rows.map((row) => documentOf(row, abbr)),
    total,
    window,
  );
}

export function findDocument(tx: Tx, { fileName, documentType }: NameInOrganisation): Promise<DocumentRow | undefined> {
  return tx
    .selectFrom('documents')
    .selectAll()
    .where('kind', '=', documentType)
    .where('state', '=', 'stored')
    .where(sql<boolean>`lower(file_name) = lower(${fileName.normalize('NFC')})`)
    .executeTakeFirst();
}

/** A document by its id, while it is there. */
export function readDocument(tx: Tx, documentId: string): Promise<DocumentRow | undefined> {
  return tx.selectFrom('documents').selectAll().where('document_id', '=', documentId).where('state', '=', 'stored').executeTakeFirst();
}

/** Lets one upload of the organisation at a time count what is there, until the end of the transaction. */
export async function lockDocuments(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('documents ' || holdfast.organisation() || holdfast.realm(), 0))`.execute(tx);
}

export async function isNameTaken(tx: Tx, { fileName, documentType }: NameInOrganisation): Promise<boolean> {
  const row = await tx
    .selectFrom('documents')
    .select('document_id')
    .where('kind', '=', documentType)
    .where('state', '<>', 'leaving')
    .where(sql<boolean>`lower(file_name) = lower(${fileName})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** What uploaded documents take; those that are only half there count as well. */
export async function usedBytes(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('documents')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Where documents are stored: the first location of the tenant that is in use, else of any. */
export async function locationForDocuments(tx: Tx): Promise<string | undefined> {
  const row = await tx
    .selectFrom('locations')
    .innerJoin('tenants', (join) => join.onRef('tenants.tenant_id', '=', 'locations.tenant_id'))
    .select('locations.location_id')
    .orderBy('tenants.active', 'desc')
    .orderBy('locations.created_at')
    .orderBy('locations.location_id')
    .limit(1)
    .executeTakeFirst();
  return row?.location_id;
}

export async function addDocument(tx: Tx, row: Insertable<OrganisationTables['documents']>): Promise<void> {
  await tx.insertInto('documents').values(row).execute();
}

/** False when the row has left the state meanwhile. */
export async function moveDocument(tx: Tx, documentId: string, from: DocumentRow['state'], to: DocumentRow['state']): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set({ state: to })
    .where('document_id', '=', documentId)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function forgetDocument(tx: Tx, documentId: string): Promise<void> {
  await tx.deleteFrom('documents').where('document_id', '=', documentId).where('state', '=', 'leaving').execute();
}

/** Documents whose deletion, or whose upload before `before`, was never finished: all of them are leaving now. */
export async function abandonedDocuments(tx: Tx, before: Date): Promise<readonly DocumentRow[]> {
  await tx.updateTable('documents').set({ state: 'leaving' }).where('state', '=', 'storing').where('uploaded_at', '<', before).execute();
  return tx.selectFrom('documents').selectAll().where('state', '=', 'leaving').execute();
}
