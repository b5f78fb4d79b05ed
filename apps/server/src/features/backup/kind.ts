import type { JobKind } from '../../runs/kind.ts';
import { createBackupHandler, type BackupHandlerOptions } from './backup.tasks.ts';
import type { CoverageReader } from './coverage.service.ts';

/** Backups as jobs. */
export function createBackupKind(options: BackupHandlerOptions & { readonly coverage: CoverageReader }): JobKind<'backup'> {
  return Object.freeze<JobKind<'backup'>>({
    type: 'backup',
    preview: (scope, tenantId, body) => options.coverage.of(scope, tenantId, body),
    handle: createBackupHandler(options),
  });
}
