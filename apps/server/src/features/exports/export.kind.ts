import type { Database, Scope, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { JobKind } from '../../runs/kind.ts';
import type { RunContext, RunOf, RunOutcome } from '../../runs/handler.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { conversationOf, type ConversationFrame } from '../content/index.ts';
import { keysByResource } from '../search/index.ts';
import type { ContentParts } from './export-content.ts';
import { createExportLinksStore } from './export-links.store.ts';
import { finishExport } from './export-finish.ts';
import { createExportFilesStore, type ExportFigures } from './export-files.store.ts';
import { createExportKey } from './export-key.ts';
import { listExport, type ListParts } from './export-list.ts';
import { readExport, type ReadPage } from './export-reading.ts';
import type { ExportRow } from './export-rows.ts';
import { findExport } from './exports.store.ts';

export interface ExportKindOptions extends Omit<ContentParts, 'files'> {
  readonly database: Database;
  readonly sealing: Sealing;
  readonly contentAccess: ContentAccess;
  /** How large files and parts become at most. */
  readonly limits?: { readonly partBytes: number; readonly mboxBytes: number };
}

type ExportContext = RunContext<RunOf<'export'>>;

/** Parts are at most 2 GB, whatever their compression saves; a mailbox file fits into one. */
const LIMITS = { partBytes: 1_990_000_000, mboxBytes: 1_000_000_000 };

/** Rights end between the moment that an export is asked for and the one that it is made. */
async function requireStillAllowed(tx: Tx, access: ContentAccess, { run }: ExportContext, row: ExportRow): Promise<void> {
  const { tenantId, onBehalfOf: accountId } = run;
  if (accountId === null) throw new AppError('content.export-right-needed');
  for (const [resourceId, items] of await keysByResource(tx, row.selection_id)) {
    await access.requireBy(tx, { tenantId, accountId }, { action: 'export', resourceId, items });
  }
}

/** What was said around the messages of chats and channels that a case has found, by the rights of whoever asked for the export. */
function conversationsIn({ database, contentAccess }: ExportKindOptions): ListParts['conversations'] {
  return (scope, asked, messages) =>
    database.within(scope, async (tx) => {
      const frames = new Map<string, ConversationFrame>();
      for (const message of messages) {
        const wanted = { ...message, tenantId: asked.tenantId };
        const { frame } = await conversationOf(tx, wanted, {
          action: 'export',
          require: (within, around) => contentAccess.requireAroundBy(within, asked, around),
        });
        frames.set(message.nodeId, frame);
      }
      return frames;
    });
}

async function list(options: ExportKindOptions & ContentParts, context: ExportContext, row: ExportRow, mboxBytes: number): Promise<void> {
  const { scope, signal, run } = context;
  await listExport(
    { ...options, mboxBytes, conversations: conversationsIn(options) },
    {
      scope,
      tenantId: run.tenantId,
      exportId: row.export_id,
      selectionId: row.selection_id,
      format: row.format,
      // Programs of tax auditors read the documents that their index names, and nothing beside them.
      aroundFor: row.case_id !== null && row.format !== 'z3' ? run.onBehalfOf : null,
      signal,
    },
  );
}

function withRead(known: ExportFigures, { read }: ReadPage): ExportFigures {
  const bytes = known.bytes + read.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { ...known, read: known.read + read.length, bytes };
}

/** Reads all of it once, telling how far that has got. */
async function readAll(options: ContentParts, { scope, run, progress, signal }: ExportContext, row: ExportRow): Promise<void> {
  const { files } = options;
  const figures = progress.of(run.runId);
  const place = { scope, tenantId: run.tenantId, exportId: row.export_id, selectionId: row.selection_id };
  let known = await files.figures(scope, row.export_id);
  // Counted again only where something failed: each count looks at every file of the export.
  const onProgress = async (page: ReadPage): Promise<void> => {
    known = page.hasFaults ? await files.figures(scope, row.export_id) : withRead(known, page);
    const { files: total, read, bytes, failed } = known;
    figures.report({ stage: 'reading', processed: read, total, bytes, errors: failed, itemsPerSecond: 0, bytesPerSecond: 0 });
  };
  await readExport(options, place, { signal, onProgress });
}

/** Exports as runs: a list, the hash of each file, and a signed manifest. They are asked for through the exports alone. */
export function createExportKind(options: ExportKindOptions): JobKind<'export'> {
  const { database, contentAccess, limits = LIMITS } = options;
  const parts = { ...options, files: createExportFilesStore(database), links: createExportLinksStore(database, contentAccess) };
  const key = createExportKey(options.sealing);
  const find = (scope: Scope, tenantId: string, exportId: string) => database.within(scope, (tx) => findExport(tx, tenantId, exportId));
  return Object.freeze<JobKind<'export'>>({
    type: 'export',
    checkStored: () => Promise.reject(new AppError('jobs.type-unavailable', { details: { field: 'type' } })),
    async handle(context): Promise<RunOutcome> {
      const { scope, run, progress } = context;
      progress.stage('preparing');
      progress.expect(1);
      const row = await find(scope, run.tenantId, run.body.exportId);
      if (!row) throw new AppError('not-found');
      await database.within(scope, (tx) => requireStillAllowed(tx, contentAccess, context, row));
      await list(parts, context, row, limits.mboxBytes);
      progress.stage('reading');
      await readAll(parts, context, row);
      progress.stage('committing');
      await finishExport({ ...parts, key, partBytes: limits.partBytes }, scope, row);
      const { files, bytes, failed } = await parts.files.figures(scope, row.export_id);
      return { status: failed > 0 ? 'defective' : 'successful', code: null, result: { files, bytes, failed } };
    },
  });
}
