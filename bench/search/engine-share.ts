import { organisationId, type Database, type Scope } from '@holdfast/database';
import { createItemReader } from '@holdfast/engine';
import { systemClock as clock } from '@holdfast/foundation/clock';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { createDocumentReader } from '@holdfast/words';
import { createIndexer } from '../../apps/server/src/features/search/indexer.service.ts';
import { createSearchIndexStore } from '../../apps/server/src/features/search/search-index.store.ts';
import { createCatalog, type Vaults } from '../../apps/server/src/storage/index.ts';
import type { Administrator } from '../catalog/fill.ts';
import { download, overAll } from '../engine/backup.ts';
import { clientOf, ids, mailboxOf, membersOf, openEngine, startService } from '../engine/ground.ts';
import { measure, round } from '../engine/measure.ts';
import { id, makeTenant } from './ground.ts';

const MAILBOXES = 20;
const MESSAGES = 400;
/** An organisation of its own: everything in it is indexed from a vault that is there. */
const scope: Scope = { organisationId: organisationId('0190bbbb-0000-7000-8000-00000000ca7b'), realm: 'production' };
const FIRST_ID = 500;
const locationId = id(FIRST_ID + 3);

interface Ground {
  readonly database: Database;
  readonly administrator: Administrator;
}

/** The indexer of a worker over one vault. */
function indexerOver(database: Database, use: Vaults['use'], catalogOf: () => ReturnType<typeof createCatalog>) {
  const items = createItemReader(clock);
  const documents = createDocumentReader({ clock });
  const vaults = { use } as Vaults;
  const store = createSearchIndexStore(database);
  const indexer = createIndexer({ store, vaults, items, documents, catalogOf, scopes: () => Promise.resolve([scope]), clock, logger });
  return { indexer, close: () => Promise.all([items.close(), documents.close()]) };
}

/**
 * Whole mailboxes of the simulator: read by a bare downloader, then backed up while a worker's indexer reads what has been
 * committed. `engineShare` is the pace of the backup beside that of the downloader, `indexedShare` that of backup and index
 * together, to the last word.
 */
export async function measureEngineShare({ database, administrator }: Ground) {
  const { service, stop } = await startService({ mailboxes: MAILBOXES, messages: MESSAGES, limits: 'off' });
  const graph = clientOf(service);
  const catalog = createCatalog({ database, scope, locationId, ids });
  const engine = await openEngine(graph, catalog);
  const { indexer, close } = indexerOver(
    database,
    (_scope, _location, work) => work(engine.vault),
    () => catalog,
  );
  try {
    await makeTenant(administrator, scope, FIRST_ID);
    const users = await membersOf(graph, MAILBOXES);
    const mailboxes = users.map(mailboxOf);
    for (const { id: resourceId, graphId } of mailboxes) {
      await administrator.query(
        `insert into resources (organisation_id, realm, resource_id, tenant_id, workload, kind, graph_id, name, address)
          values ($1, $2, $3, $4, 'exchange', 'mailbox', $5, $5, $5)`,
        [scope.organisationId, scope.realm, resourceId, id(FIRST_ID), graphId],
      );
    }
    await download(graph, users[0] ?? '');
    const bare = await measure('bare downloader', graph, () => overAll(users, (userId) => download(graph, userId)));
    const began = performance.now();
    const stopIndexing = indexer.start();
    const backup = await measure('backup beside its index', graph, () =>
      overAll(mailboxes, async (resource) => {
        const { counts, bytesRead } = await engine.backUp(resource);
        return { items: counts.added, bytes: bytesRead };
      }),
    );
    await stopIndexing();
    while (await indexer.turn());
    const indexedSeconds = (performance.now() - began) / 1_000;
    const [indexed] = await administrator.query('select count(*)::int as items from search_items where organisation_id = $1', [
      scope.organisationId,
    ]);
    if (Number(indexed?.['items']) < users.length * MESSAGES) throw new Error('The index is not complete.');
    const pace = backup.bytes / bare.bytes;
    return {
      engineShare: round((pace * bare.seconds) / backup.seconds),
      indexedShare: round((pace * bare.seconds) / indexedSeconds),
      bareSeconds: bare.seconds,
      backupSeconds: backup.seconds,
      indexedSeconds: round(indexedSeconds),
      backedUp: backup.items,
    };
  } finally {
    await close();
    await engine.close();
    await graph.close();
    stop();
  }
}
