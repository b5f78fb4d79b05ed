import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Vaults } from '../../storage/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { createImportFiles } from './import-files.service.ts';
import { createImportReports, type ImportReports } from './import-reports.service.ts';
import { mountImports } from './imports.routes.ts';

export interface ImportsPorts {
  readonly database: Database;
  readonly vaults: Vaults;
  readonly audit: AuditInbox;
  readonly contentAccess: ContentAccess;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
}

export interface ImportsFeature extends Feature {
  /** What imports came to. */
  readonly reports: Pick<ImportReports, 'report' | 'faults'>;
}

const TIDY_MS = 60 * 60_000;

export function createImportsFeature(ports: ImportsPorts): ImportsFeature {
  const { clock, logger } = ports;
  const files = createImportFiles(ports);
  const reports = createImportReports(ports);
  const warn = (error: unknown): void => logger.warn({ err: error }, 'uploaded files that nobody imported could not be deleted');

  async function tidyAll(): Promise<void> {
    for (const scope of await ports.scopes()) await files.tidy(scope).catch(warn);
  }

  return Object.freeze<ImportsFeature>({
    reports,
    mount: (app) => inEachRealm((realm) => mountImports(app, { files, reports }, realm)),
    start: { worker: () => clock.every(TIDY_MS, () => void tidyAll().catch(warn)) },
  });
}
