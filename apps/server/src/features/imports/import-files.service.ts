import { importPartBytes, type ImportFile } from '@holdfast/contract/imports';
import { takes } from '@holdfast/contract/locations';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Vaults } from '../../storage/index.ts';
import { requireLocation } from '../locations/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import {
  abandonedFiles,
  addImportFile,
  expectPart,
  findImportFile,
  forgetImportFile,
  importFileOf,
  importFilesOf,
  notePartStored,
  objectsOf,
  partsOf,
  type ImportFileRow,
} from './import-files.store.ts';

export interface ImportFilesParts {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'use'>;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** One file of a tenant. */
export interface FilePlace {
  readonly tenantId: string;
  readonly fileId: string;
}

export interface NewImportFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly locationId: string;
}

/** Files that come part by part, to be imported. */
export interface ImportFilesService {
  list(scope: Scope, tenantId: string): Promise<ImportFile[]>;
  get(scope: Scope, place: FilePlace): Promise<ImportFile>;
  add(asking: Asking, tenantId: string, file: NewImportFile): Promise<ImportFile>;
  /** Stores one part. The same part may come again. */
  putPart(scope: Scope, place: FilePlace & { readonly part: number }, bytes: Uint8Array): Promise<void>;
  remove(asking: Asking, place: FilePlace): Promise<void>;
  /** Deletes files that nobody has imported for a week. */
  tidy(scope: Scope): Promise<void>;
}

const KEPT_MS = 7 * 24 * 3_600_000;
/** Files of one organisation that are there at the same time. */
const MOST_FILES = 200;

async function found(tx: Tx, { tenantId, fileId }: FilePlace): Promise<ImportFileRow> {
  const row = await findImportFile(tx, tenantId, fileId);
  if (!row) throw new AppError('not-found');
  return row;
}

async function purge(
  { database, vaults }: ImportFilesParts,
  scope: Scope,
  row: Pick<ImportFileRow, 'file_id' | 'location_id'>,
): Promise<void> {
  const objects = await database.within(scope, (tx) => objectsOf(tx, row.file_id));
  await vaults.use(scope, row.location_id, async (vault) => {
    for (const object of objects) await vault.documents.remove(object);
  });
  await database.within(scope, (tx) => forgetImportFile(tx, row.file_id));
}

function note(
  audit: AuditInbox,
  tx: Tx,
  { actor, caller }: Asking,
  { event, row }: { event: 'imports.fileAdded' | 'imports.fileDeleted'; row: Pick<ImportFileRow, 'file_id' | 'name' | 'size_bytes'> },
): Promise<void> {
  const subject = { kind: 'importFile', id: row.file_id, name: row.name } as const;
  return audit.record(tx, { event, actor: actorEntry(actor, caller), subject, details: { bytes: row.size_bytes } });
}

/** How many bytes a part must have. */
function sizeOfPart(sizeBytes: number, part: number): number {
  return part < partsOf(sizeBytes) ? Math.min(importPartBytes, sizeBytes - part * importPartBytes) : 0;
}

export function createImportFiles(parts: ImportFilesParts): ImportFilesService {
  const { database, vaults, audit, clock, ids } = parts;
  return Object.freeze<ImportFilesService>({
    list: (scope, tenantId) =>
      database.within(scope, async (tx) => {
        const files: ImportFile[] = [];
        for (const row of await importFilesOf(tx, tenantId)) files.push(await importFileOf(tx, row));
        return files;
      }),
    get: (scope, place) => database.within(scope, async (tx) => importFileOf(tx, await found(tx, place))),
    add: (asking, tenantId, { name, sizeBytes, locationId }) =>
      database.within(asking.scope, async (tx) => {
        await requireLocation(tx, { tenantId, locationId }, (use) => takes(use, 'import'));
        if ((await importFilesOf(tx, tenantId)).length >= MOST_FILES) throw new AppError('import.too-many-files');
        const at = now(clock);
        const times = { created_at: at, touched_at: at };
        const row = {
          file_id: ids.uuid(),
          tenant_id: tenantId,
          location_id: locationId,
          name,
          size_bytes: sizeBytes,
          uploader: asking.actor.email,
        };
        await addImportFile(tx, { ...row, ...times });
        await note(audit, tx, asking, { event: 'imports.fileAdded', row });
        return importFileOf(tx, await found(tx, { tenantId, fileId: row.file_id }));
      }),
    async putPart(scope, { part, ...place }, bytes) {
      const row = await database.within(scope, (tx) => found(tx, place));
      if (bytes.byteLength === 0 || bytes.byteLength !== sizeOfPart(row.size_bytes, part)) {
        throw new AppError('import.part-size', { details: { field: 'file' } });
      }
      const objectId = ids.uuid();
      const partOf = { fileId: place.fileId, part };
      const before = await database.within(scope, (tx) => expectPart(tx, partOf, objectId));
      if (before === 'stored') return;
      await vaults.use(scope, row.location_id, async (vault) => {
        if (before !== null) await vault.documents.remove(before);
        await vault.documents.put(objectId, bytes);
        const isOurs = await database.within(scope, (tx) => notePartStored(tx, { ...partOf, at: now(clock) }, objectId));
        if (!isOurs) await vault.documents.remove(objectId);
      });
    },
    async remove(asking, place) {
      const row = await database.within(asking.scope, async (tx) => {
        const there = await found(tx, place);
        await note(audit, tx, asking, { event: 'imports.fileDeleted', row: there });
        return there;
      });
      await purge(parts, asking.scope, row);
    },
    async tidy(scope) {
      const before = new Date(clock.nowMs() - KEPT_MS);
      for (const row of await database.within(scope, (tx) => abandonedFiles(tx, before))) await purge(parts, scope, row);
    },
  });
}
