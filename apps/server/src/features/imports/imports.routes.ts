import { importPartBytes, imports as contract } from '@holdfast/contract/imports';
import type { Realm } from '@holdfast/database';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { UploadPart } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf } from '../identity/index.ts';
import type { ImportFilesService } from './import-files.service.ts';
import type { ImportReports } from './import-reports.service.ts';

export interface ImportsParts {
  readonly files: ImportFilesService;
  readonly reports: ImportReports;
}

/** The one file of a request, no larger than a part. */
async function partOf(upload: AsyncIterable<UploadPart>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of upload) {
      if (part.kind !== 'file' || part.field !== 'file') throw new AppError('request.invalid', { details: { field: part.field } });
      for await (const piece of part.content) {
        size += piece.byteLength;
        if (size > importPartBytes) throw new AppError('import.part-size', { details: { field: 'file' } });
        pieces.push(piece);
      }
    }
  } catch (error) {
    if (isAppError(error, 'request.too-large')) throw new AppError('import.part-size', { details: { field: 'file' } });
    throw error;
  }
  return Buffer.concat(pieces);
}

/** Mounts imports under the base path of a realm. */
export function mountImports(app: HttpApp, { files, reports }: ImportsParts, realm: Realm): void {
  mount(
    app,
    contract,
    {
      files: async (context) => ({ items: await files.list(scopeOf(context), context.params.tenantId) }),
      addFile: (context) => files.add(askingOf(context), context.params.tenantId, context.body),
      file: (context) => files.get(scopeOf(context), context.params),
      async putPart(context) {
        await files.putPart(scopeOf(context), context.params, await partOf(context.upload()));
      },
      async removeFile(context) {
        await files.remove(askingOf(context), context.params);
      },
      report: (context) => reports.report(scopeOf(context), context.params),
      faults: (context) => reports.faults(scopeOf(context), context.params, context.query),
      piece: (context) => reports.piece(askingOf(context), { ...context.params, ...context.query }),
    },
    { surface: 'main', realm },
  );
}
