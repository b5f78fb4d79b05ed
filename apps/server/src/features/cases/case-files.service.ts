import { caseFilesMax, type CaseDetails, type CaseFilesBody } from '@holdfast/contract/case-values';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { CaseAccess, CaseAsking, CasesParts } from './case-access.ts';
import { addFiles, countFiles, removeFile } from './case-files.store.ts';

/** Files and folders that members add to a case from the file manager. */
export interface CaseFilesService {
  addFiles(asking: CaseAsking, caseId: string, body: CaseFilesBody): Promise<CaseDetails>;
  removeFile(asking: CaseAsking, caseId: string, fileId: string): Promise<void>;
}

export function createCaseFilesService({ database, clock, ids, holds }: CasesParts, access: CaseAccess): CaseFilesService {
  return Object.freeze<CaseFilesService>({
    addFiles: (asking, caseId, { resourceId, items, note }) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const keys = [...new Set(items)];
        const found = await holds.itemsOf(tx, { tenantId: asking.tenantId, resourceId, keys });
        if (found.length !== keys.length) throw new AppError('cases.file-unknown');
        const common = { case_id: caseId, resource_id: resourceId, note, adder: asking.actor.email, added_at: now(clock) };
        const added = await addFiles(
          tx,
          found.map((item) => ({ ...common, ...item, file_id: ids.uuid() })),
        );
        if ((await countFiles(tx, caseId)) > caseFilesMax) throw new AppError('cases.files-full');
        if (added.length > 0) await access.note(tx, asking, { event: 'cases.files-added', of: row, details: { files: added, note } });
        return access.details(tx, row);
      }),
    removeFile: (asking, caseId, fileId) =>
      database.within(asking.scope, async (tx) => {
        const row = await access.findOpen(tx, asking, caseId);
        const name = await removeFile(tx, caseId, fileId);
        if (name === undefined) throw new AppError('not-found');
        await access.note(tx, asking, { event: 'cases.file-removed', of: row, details: { file: name } });
      }),
  });
}
