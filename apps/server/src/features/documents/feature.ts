import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { createPreviewer, type Previewer } from '@holdfast/previews';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../../storage/index.ts';
import { mountDocuments } from './documents.routes.ts';
import { createVirusScan } from './virus-scan.ts';
import { createDocumentsService, createStoredDocuments, type StoredDocuments } from './documents.service.ts';

/** What reports and documents need of the rest. */
export interface DocumentsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly vaults: Vaults;
  readonly config: Pick<Config, 'HOLDFAST_DOCUMENTS_QUOTA_MB' | 'HOLDFAST_DOCUMENTS_ACTIVE_CONTENT' | 'HOLDFAST_CLAMD'>;
  scopes(): Promise<readonly Scope[]>;
}

const TIDY_MS = 10 * 60_000;

export interface DocumentsFeature extends Feature {
  /** For what other features make and store. */
  readonly stored: StoredDocuments;
  /** Draws files of anybody: one process for all who show them. */
  readonly previewer: Pick<Previewer, 'page'>;
}

export function createDocumentsFeature(ports: DocumentsPorts): DocumentsFeature {
  const { config, clock, logger } = ports;
  const previewer = createPreviewer({ clock });
  const parts = {
    ...ports,
    previewer,
    quotaBytes: config.HOLDFAST_DOCUMENTS_QUOTA_MB * 1024 * 1024,
    allowsActive: config.HOLDFAST_DOCUMENTS_ACTIVE_CONTENT,
    scan: config.HOLDFAST_CLAMD === undefined ? undefined : createVirusScan({ address: config.HOLDFAST_CLAMD, clock, logger }),
  };
  const service = createDocumentsService(parts);

  async function tidyAll(): Promise<void> {
    for (const scope of await ports.scopes()) {
      await service.tidy(scope).catch((error: unknown) => logger.warn({ err: error }, 'interrupted uploads could not be removed'));
    }
  }

  return Object.freeze<DocumentsFeature>({
    stored: createStoredDocuments(parts),
    previewer,
    mount: (app) => inEachRealm((realm) => mountDocuments(app, { ...parts, service }, realm)),
    // A worker deletes what interrupted uploads left behind.
    start: {
      worker: () => {
        const tidy = (): void => {
          tidyAll().catch((error: unknown) => logger.warn({ err: error }, 'interrupted uploads could not be removed'));
        };
        tidy();
        return clock.every(TIDY_MS, tidy);
      },
    },
    close: () => previewer.close(),
  });
}
