import type { Database, Realm, Scope } from '@holdfast/database';
import { createItemReader, type Catalog } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { createDocumentReader } from '@holdfast/words';
import type { HttpApp } from '../../http/http-app.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../backup/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { createIndexer } from './indexer.service.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { mountSearch } from './search.routes.ts';
import { createSearchService } from './search.service.ts';

/** What the search stands on. */
export interface SearchPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly vaults: Vaults;
  catalogOf(scope: Scope, locationId: string): Catalog;
  scopes(): Promise<readonly Scope[]>;
}

export interface SearchFeature {
  mount(app: HttpApp, realm: Realm): void;
  /** Reads the words of what is kept, until stopped. */
  start(): () => Promise<void>;
}

export function createSearchFeature(ports: SearchPorts): SearchFeature {
  const { database, clock, audit } = ports;
  const items = createItemReader(clock);
  const documents = createDocumentReader({ clock });
  const indexer = createIndexer({ ...ports, store: createSearchIndexStore(database), items, documents });
  const service = createSearchService({
    ...ports,
    record: (tx, { actor, caller, tenantId, reason }, { readAs, hits }) =>
      audit.record(tx, {
        event: 'search.ran',
        actor: actorEntry(actor, caller),
        subject: { kind: 'tenant', id: tenantId },
        reason,
        details: { query: readAs, hits },
      }),
  });
  return Object.freeze<SearchFeature>({
    mount: (app, realm) => mountSearch(app, service, realm),
    start() {
      const stop = indexer.start();
      return async () => {
        await stop();
        await Promise.all([items.close(), documents.close()]);
      };
    },
  });
}
