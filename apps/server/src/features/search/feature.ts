import type { Database, Scope, Tx } from '@holdfast/database';
import { createItemReader, type Catalog } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { createPreviewer } from '@holdfast/previews';
import { createDocumentReader, createScanReader } from '@holdfast/words';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../../storage/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { createScanPages } from './scan-pages.ts';
import { createRecognition, type RecognitionOptions } from './recognition.service.ts';
import { createRecognitionStore } from './recognition.store.ts';
import { createIndexer } from './indexer.service.ts';
import { createSavedSearches } from './saved-searches.service.ts';
import { readSavedSearch, type SavedSearchRow } from './saved-searches.store.ts';
import { mountSavedSearches } from './saved-searches.routes.ts';
import { createSearchAlerts, type SearchFound } from './search-alerts.service.ts';
import { createSearchComparison } from './search-comparison.service.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { createIndexMaker } from './index-maker.ts';
import { mountSearch } from './search.routes.ts';
import { createPassages } from './passages.service.ts';
import { mountSelections } from './selections.routes.ts';
import { createSelections } from './selections.service.ts';
import { createSelectionReader } from './selections.store.ts';
import { createSearchUses, type FindUses } from './search-uses.ts';
import { createSearchService, type Searching } from './search.service.ts';

/** What the search stands on. */
export interface SearchPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly vaults: Vaults;
  readonly access: ContentAccess;
  catalogOf(scope: Scope, locationId: string): Catalog;
  scopes(): Promise<readonly Scope[]>;
  /** Whether words of pictures and scanned documents are recognised. */
  readonly recognisesScans: boolean;
  /** Notifies the owner of a saved search, in the transaction that found something new. */
  notify(tx: Tx, scope: Scope, found: SearchFound): Promise<void>;
}

export interface SearchFeature extends Feature {
  /** A saved search with the query that is in force, for what refers to it. */
  readonly saved: (tx: Tx, searchId: string) => Promise<SavedSearchRow | undefined>;
  /** Names what refers to saved searches: such a search is not deleted. */
  registerUses(find: FindUses): void;
}

/** What drawing a page that is recognised may take: it is larger than one that is looked at. */
const SCAN_MB = 512;

/** What recognises pictures, over processes that start with the first of them. */
function openRecognition(ports: SearchPorts, readers: Pick<RecognitionOptions, 'items' | 'documents' | 'maker'>) {
  const store = createRecognitionStore(ports.database);
  const scanReader = createScanReader({ clock: ports.clock });
  // Of its own: people who look at pages do not wait for what is read in idle time.
  const previewer = createPreviewer({ clock: ports.clock, mostMb: SCAN_MB });
  const recognition = createRecognition({ ...ports, ...readers, store, pages: createScanPages(previewer, scanReader) });
  const texts = (scope: Scope, hashes: readonly string[]) => store.texts(scope, hashes);
  return { start: () => recognition.start(), texts, close: () => Promise.all([scanReader.close(), previewer.close()]) };
}

export function createSearchFeature(ports: SearchPorts): SearchFeature {
  const { database, clock, audit } = ports;
  const items = createItemReader(clock);
  const documents = createDocumentReader({ clock });
  const maker = createIndexMaker();
  const recognition = openRecognition(ports, { items, documents, maker });
  const indexer = createIndexer({ ...ports, store: createSearchIndexStore(database), items, documents, maker });
  /** Writes what somebody was shown into the audit log: the query, and how many hits or words. */
  const recordAs =
    (event: Extract<AuditEvent, `search.${string}`>) =>
    (tx: Tx, { actor, caller, tenantId, reason }: Searching, { readAs, ...figures }: { readonly readAs: string }): Promise<void> =>
      audit.record(tx, {
        event,
        actor: actorEntry(actor, caller),
        subject: { kind: 'tenant', id: tenantId },
        reason,
        details: { query: readAs, ...figures },
      });
  const record = recordAs('search.ran');
  const service = createSearchService({ ...ports, record, recordWords: recordAs('search.words-shown') });
  const uses = createSearchUses();
  const saved = createSavedSearches({ ...ports, search: service, uses, record });
  const selections = createSelections({ ...ports, reader: createSelectionReader(database), record });
  const passages = createPassages({
    ...ports,
    items,
    documents,
    scanTexts: (scope, hashes) => recognition.texts(scope, hashes),
    record: recordAs('search.hits-shown'),
  });
  const alerts = createSearchAlerts(ports);
  const comparison = createSearchComparison({
    ...ports,
    alarm: (tx, { sourceId, versions }) =>
      audit.record(tx, {
        event: 'alarms.search-index-lost',
        outcome: 'failed',
        actor: { kind: 'system', name: 'search' },
        subject: { kind: 'source', id: sourceId },
        details: { versions },
      }),
  });
  return Object.freeze<SearchFeature>({
    mount(app) {
      inEachRealm((realm) => {
        mountSearch(app, { service, passages }, realm);
        mountSavedSearches(app, saved, realm);
        mountSelections(app, selections, realm);
      });
    },
    saved: readSavedSearch,
    registerUses: (find) => uses.register(find),
    start: {
      // A worker reads the words of what is kept, compares them with it, checks the alerts, and recognises pictures where that is on.
      worker() {
        const stops = [indexer.start(), comparison.start(), alerts.start(), ...(ports.recognisesScans ? [recognition.start()] : [])];
        return async () => {
          await Promise.all(stops.map((stop) => stop()));
        };
      },
    },
    async close() {
      await Promise.all([items.close(), documents.close(), recognition.close(), maker.close()]);
    },
  });
}
