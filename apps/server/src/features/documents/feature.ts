import type { Database, Realm, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { HttpApp } from '../../http/http-app.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../backup/index.ts';
import { mountDocuments } from './documents.routes.ts';
import { createDocumentsService } from './documents.service.ts';

/** What reports and documents need of the rest. */
export interface DocumentsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly vaults: Vaults;
  readonly quotaBytes: number;
  readonly allowsActive: boolean;
  scopes(): Promise<readonly Scope[]>;
}

export interface DocumentsFeature {
  mount(app: HttpApp, realm: Realm): void;
  /** Deletes what interrupted uploads left behind, until stopped. */
  start(): () => void;
}

const TIDY_MS = 10 * 60_000;

export function createDocumentsFeature(ports: DocumentsPorts): DocumentsFeature {
  const { clock, logger } = ports;
  const service = createDocumentsService(ports);

  async function tidyAll(): Promise<void> {
    for (const scope of await ports.scopes()) {
      await service.tidy(scope).catch((error: unknown) => logger.warn({ err: error }, 'interrupted uploads could not be removed'));
    }
  }

  return Object.freeze<DocumentsFeature>({
    mount: (app, realm) => mountDocuments(app, { ...ports, service }, realm),
    start: () =>
      clock.every(TIDY_MS, () => {
        tidyAll().catch((error: unknown) => logger.warn({ err: error }, 'interrupted uploads could not be removed'));
      }),
  });
}
