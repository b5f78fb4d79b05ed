import { parseQuery } from '@holdfast/contract/query/parse';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import { sightBy, type ContentAccess } from '../content-access/index.ts';
import { dueAlerts, rememberHits, takeDueAlert, type SavedSearchRow } from './saved-searches.store.ts';
import { placeOf } from './search-place.ts';

/** New items of a saved search, as its owner is notified of them. */
export interface SearchFound {
  readonly searchId: string;
  readonly name: string;
  readonly ownerId: string;
  readonly hits: number;
}

export interface SearchAlertsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly access: ContentAccess;
  scopes(): Promise<readonly Scope[]>;
  /** Queues the mail, in the transaction that remembers the hits. */
  notify(tx: Tx, scope: Scope, found: SearchFound): Promise<void>;
}

/** Looks for items that match a saved search for the first time. */
export interface SearchAlerts {
  /** Checks every search that is due, in all organisations. */
  turn(signal: AbortSignal): Promise<void>;
  /** Checks every minute, until stopped. */
  start(): () => Promise<void>;
}

const EVERY_MS = 60_000;
/** How often each search is checked. */
const INTERVAL_MS = 15 * 60_000;

/** Hits are remembered in the transaction that queues the mail: whenever a worker dies, each item alerts exactly once. */
export function createSearchAlerts(options: SearchAlertsOptions): SearchAlerts {
  const { database, clock, logger, access } = options;

  async function newHits(tx: Tx, row: SavedSearchRow): Promise<number> {
    const { query } = parseQuery(row.query);
    if (query) {
      // Whoever may no longer open something is not notified of it either.
      const owner = { tenantId: row.tenant_id, accountId: row.owner_id };
      const reach = await access.searchableBy(tx, owner);
      const sight = await sightBy(tx, owner, now(clock));
      return rememberHits(tx, row.search_id, await placeOf(tx, clock, { tenantId: row.tenant_id, query, reach, sight }));
    }
    logger.warn({ searchId: row.search_id }, 'the query of a saved search can no longer be read');
    return 0;
  }

  async function check(scope: Scope, searchId: string, before: Date): Promise<void> {
    await database.within(scope, async (tx) => {
      const row = await takeDueAlert(tx, searchId, before);
      if (!row) return;
      const hits = await newHits(tx, row);
      await tx
        .updateTable('saved_searches')
        .set((eb) => ({ checked_at: now(clock), new_hits: eb('new_hits', '+', hits) }))
        .where('search_id', '=', searchId)
        .execute();
      if (hits > 0) await options.notify(tx, scope, { searchId, name: row.name, ownerId: row.owner_id, hits });
    });
  }

  async function checkAll(scope: Scope, signal: AbortSignal): Promise<void> {
    const before = new Date(clock.nowMs() - INTERVAL_MS);
    for (const searchId of await database.within(scope, (tx) => dueAlerts(tx, before))) {
      if (signal.aborted) return;
      // One search that cannot be answered must not keep the others from their alerts.
      await check(scope, searchId, before).catch((error: unknown) =>
        logger.warn({ err: error, searchId }, 'a saved search could not be checked'),
      );
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    for (const scope of await options.scopes()) await checkAll(scope, signal);
  }

  return Object.freeze<SearchAlerts>({
    turn,
    start: () =>
      repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'saved searches could not be checked') }),
  });
}
