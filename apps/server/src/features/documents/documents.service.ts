import type { DocumentFile, DocumentType } from '@holdfast/contract/documents';
import type { Page } from '@holdfast/contract/paging';
import type { DrawnPage } from '@holdfast/contract/values';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { once } from '@holdfast/foundation/streams';
import type { Previewer } from '@holdfast/previews';
import type { Download } from '../../http/context.ts';
import { drawnPageOf } from '../../http/drawn-page.ts';
import type { AuditActor, AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../../storage/index.ts';
import { actorEntry, readOrganisation } from '../organisations/index.ts';
import type { Asking } from '../identity/index.ts';
import {
  abandonedDocuments,
  addDocument,
  documentOf,
  findDocument,
  forgetDocument,
  isNameTaken,
  listDocuments,
  locationForDocuments,
  lockDocuments,
  moveDocument,
  readDocument,
  usedBytes,
  type DocumentRow,
  type DocumentsQuery,
  type NameInOrganisation,
} from './documents.store.ts';

export interface DocumentsParts {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'use'>;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly previewer: Pick<Previewer, 'page'>;
  /** What the documents of one organisation may take together. */
  readonly quotaBytes: number;
}

/** A file that is to be kept, already checked. */
export interface NewDocument extends NameInOrganisation {
  readonly bytes: Uint8Array;
}

/** Who adds a document; without an account it is the product itself. */
export interface Author {
  readonly scope: Scope;
  readonly accountId: string | null;
  readonly name: string;
  readonly entry: AuditActor;
}

/** A file of the product itself, whose name may get a number behind it. */
export interface OwnFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** Reports that the product makes and stores beside those that people upload. */
export interface StoredDocuments {
  /** Stores a report and answers its id. The same file is stored once, however often it is tried. */
  keep(scope: Scope, file: OwnFile): Promise<string>;
  /** A document by its id; undefined once somebody has deleted it. */
  read(scope: Scope, documentId: string): Promise<OwnFile | undefined>;
}

export interface DocumentsService {
  list(scope: Scope, kind: DocumentType, query: DocumentsQuery): Promise<Page<DocumentFile>>;
  add(author: Author, document: NewDocument): Promise<DocumentFile>;
  open(asking: Asking, name: NameInOrganisation): Promise<Download>;
  /** A page as a picture: as much of the file as opening it, so it is logged as well. */
  page(asking: Asking, name: NameInOrganisation & { readonly page: number }): Promise<DrawnPage>;
  remove(asking: Asking, name: NameInOrganisation): Promise<void>;
  /** Deletes what an interrupted upload or deletion left behind. */
  tidy(scope: Scope): Promise<void>;
}

/** A file that is checked and still not stored after this was left behind by a process that has ended. */
const ABANDONED_MS = 10 * 60_000;

async function note(
  audit: AuditInbox,
  tx: Tx,
  actor: AuditActor,
  {
    event,
    row,
    page,
  }: { readonly event: AuditEvent; readonly row: Omit<DocumentRow, 'organisation_id' | 'realm'>; readonly page?: number },
): Promise<void> {
  await audit.record(tx, {
    event,
    actor,
    subject: { kind: 'document', id: row.document_id, name: row.file_name },
    details: { type: row.kind, bytes: row.size_bytes, ...(page === undefined ? {} : { page }) },
  });
}

/** Notes that the document is coming, so that an interrupted upload is found and removed. */
function reserve(
  { database, clock, ids, quotaBytes }: DocumentsParts,
  author: Author,
  { bytes, fileName, documentType }: NewDocument,
): Promise<DocumentRow> {
  return database.within(author.scope, async (tx) => {
    await lockDocuments(tx);
    if (await isNameTaken(tx, { fileName, documentType })) throw new AppError('documents.name-taken', { details: { field: 'file' } });
    if ((await usedBytes(tx)) + bytes.byteLength > quotaBytes) throw new AppError('documents.quota', { details: { field: 'file' } });
    const locationId = await locationForDocuments(tx);
    if (locationId === undefined) throw new AppError('documents.no-location');
    const row = {
      document_id: ids.uuid(),
      kind: documentType,
      file_name: fileName,
      size_bytes: bytes.byteLength,
      location_id: locationId,
      state: 'storing' as const,
      uploaded_by: author.accountId,
      uploader: author.name,
      uploaded_at: now(clock),
    };
    await addDocument(tx, row);
    return { ...row, organisation_id: author.scope.organisationId, realm: author.scope.realm };
  });
}

async function purge(
  { database, vaults }: DocumentsParts,
  scope: Scope,
  row: Pick<DocumentRow, 'document_id' | 'location_id'>,
): Promise<void> {
  await vaults.use(scope, row.location_id, (vault) => vault.documents.remove(row.document_id));
  await database.within(scope, (tx) => forgetDocument(tx, row.document_id));
}

async function found(tx: Tx, name: NameInOrganisation): Promise<DocumentRow> {
  const row = await findDocument(tx, name);
  if (!row) throw new AppError('not-found');
  return row;
}

/** Stores a document, its bytes before its row can be seen. */
async function store(parts: DocumentsParts, author: Author, document: NewDocument): Promise<DocumentRow> {
  const { database, vaults, audit } = parts;
  const row = await reserve(parts, author, document);
  try {
    await vaults.use(author.scope, row.location_id, (vault) => vault.documents.put(row.document_id, document.bytes));
  } catch (error) {
    await database.within(author.scope, (tx) => moveDocument(tx, row.document_id, 'storing', 'leaving'));
    throw error;
  }
  await database.within(author.scope, async (tx) => {
    if (!(await moveDocument(tx, row.document_id, 'storing', 'stored'))) throw new AppError('service.unavailable');
    await note(audit, tx, author.entry, { event: 'documents.added', row });
  });
  return row;
}

const NAMES = 9;

/** `Report.pdf`, then `Report (2).pdf` and so on. */
function numbered(fileName: string, number: number): string {
  return number === 1 ? fileName : fileName.replace(/\.pdf$/i, ` (${number}).pdf`);
}

/** Stores and reads what the product makes itself. */
export function createStoredDocuments(parts: DocumentsParts): StoredDocuments {
  const { database, vaults } = parts;

  const bytesOf = (scope: Scope, row: DocumentRow): Promise<Uint8Array> =>
    vaults.use(scope, row.location_id, (vault) => vault.documents.get(row.document_id));

  /** The id of this very file, when an earlier attempt has stored it. */
  async function idOfSame(scope: Scope, { fileName, bytes }: OwnFile): Promise<string | undefined> {
    const there = await database.within(scope, (tx) => findDocument(tx, { fileName, documentType: 'report' }));
    if (!there || there.uploaded_by !== null || there.size_bytes !== bytes.byteLength) return undefined;
    return Buffer.compare(await bytesOf(scope, there), bytes) === 0 ? there.document_id : undefined;
  }

  return Object.freeze<StoredDocuments>({
    async keep(scope, { fileName, bytes }) {
      const author: Author = { scope, accountId: null, name: 'Holdfast', entry: { kind: 'system', name: 'Holdfast' } };
      for (let number = 1; number <= NAMES; number += 1) {
        const file = { fileName: numbered(fileName, number), bytes };
        const known = await idOfSame(scope, file);
        if (known !== undefined) return known;
        try {
          return (await store(parts, author, { ...file, documentType: 'report' })).document_id;
        } catch (error) {
          if (!isAppError(error, 'documents.name-taken')) throw error;
        }
      }
      throw new AppError('documents.name-taken');
    },
    async read(scope, documentId) {
      const row = await database.within(scope, (tx) => readDocument(tx, documentId));
      return row && { fileName: row.file_name, bytes: await bytesOf(scope, row) };
    },
  });
}

export function createDocumentsService(parts: DocumentsParts): DocumentsService {
  const { database, vaults, audit, clock, previewer } = parts;
  return Object.freeze<DocumentsService>({
    list: (scope, kind, query) => database.within(scope, (tx) => listDocuments(tx, kind, query)),
    async add(author, document) {
      const row = await store(parts, author, document);
      return database.within(author.scope, async (tx) => documentOf(row, (await readOrganisation(tx))?.abbr ?? ''));
    },
    async open({ scope, actor, caller }, name) {
      const row = await database.within(scope, (tx) => found(tx, name));
      const content = await vaults.use(scope, row.location_id, (vault) => vault.documents.get(row.document_id));
      await database.within(scope, (tx) => note(audit, tx, actorEntry(actor, caller), { event: 'documents.downloaded', row }));
      return { fileName: row.file_name, mediaType: 'application/pdf', sizeBytes: content.byteLength, content: once(content) };
    },
    async page({ scope, actor, caller }, { page, ...name }) {
      const row = await database.within(scope, (tx) => found(tx, name));
      const bytes = await vaults.use(scope, row.location_id, (vault) => vault.documents.get(row.document_id));
      const drawn = drawnPageOf(await previewer.page({ bytes, page }), 'documents.not-shown');
      await database.within(scope, (tx) => note(audit, tx, actorEntry(actor, caller), { event: 'documents.viewed', row, page }));
      return drawn;
    },
    async remove({ scope, actor, caller }, name) {
      const row = await database.within(scope, async (tx) => {
        const there = await found(tx, name);
        if (!(await moveDocument(tx, there.document_id, 'stored', 'leaving'))) throw new AppError('not-found');
        await note(audit, tx, actorEntry(actor, caller), { event: 'documents.deleted', row: there });
        return there;
      });
      await purge(parts, scope, row);
    },
    async tidy(scope) {
      const before = new Date(clock.nowMs() - ABANDONED_MS);
      for (const row of await database.within(scope, (tx) => abandonedDocuments(tx, before))) await purge(parts, scope, row);
    },
  });
}
