import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import { compareSource, noteLost, sourcesToCompare, takeComparison } from './search-comparison.store.ts';

export interface SearchComparisonOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
  /** Raises the alarm, in the transaction that has the words read again. */
  alarm(tx: Tx, lost: { readonly sourceId: string; readonly versions: number }): Promise<void>;
}

/** Holds the index against the catalog once a night, and has what it lost read again. */
export interface SearchComparison {
  turn(signal: AbortSignal): Promise<void>;
  /** Looks every few minutes whose night it is, until stopped. */
  start(): () => Promise<void>;
}

const EVERY_MS = 10 * 60_000;
const INTERVAL_MS = 24 * 60 * 60_000;

export function createSearchComparison(options: SearchComparisonOptions): SearchComparison {
  const { database, clock, logger } = options;

  async function compare(scope: Scope, signal: AbortSignal): Promise<void> {
    const at = now(clock);
    const before = new Date(at.getTime() - INTERVAL_MS);
    const sources = await database.within(scope, async (tx) => ((await takeComparison(tx, before, at)) ? sourcesToCompare(tx) : []));
    for (const sourceId of sources) {
      if (signal.aborted) return;
      await database.within(scope, async (tx) => {
        const versions = await compareSource(tx, sourceId);
        if (versions === 0) return;
        await noteLost(tx, versions);
        await options.alarm(tx, { sourceId, versions });
        logger.error({ event: 'search-index-lost', sourceId, versions }, 'the search index had lost items, which are read again');
      });
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    for (const scope of await options.scopes()) {
      // What stops one organisation stops no other.
      await compare(scope, signal).catch((error: unknown) =>
        logger.warn({ err: error, organisationId: scope.organisationId }, 'the index could not be compared'),
      );
    }
  }

  return Object.freeze<SearchComparison>({
    turn,
    start: () =>
      repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'the index could not be compared') }),
  });
}
