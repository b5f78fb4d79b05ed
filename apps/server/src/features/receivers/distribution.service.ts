import type { Scope } from '@holdfast/database';
import { repeat } from '@holdfast/foundation/repeating';
import type { AddressHistory } from './directory.service.ts';
import { placeSome, type PlaceParts } from './place.service.ts';
import { allReceivers, type ReceiverRow } from './receivers.store.ts';
import { resolveSome, resolveUnassigned } from './resolve.store.ts';

export interface DistributionParts extends PlaceParts {
  readonly history: AddressHistory;
  scopes(): Promise<readonly Scope[]>;
}

/** Brings what receivers took in to the archives of its owners. */
export interface Distribution {
  /** One look at every receiver. Answers whether there may be more to do. */
  turn(signal?: AbortSignal): Promise<boolean>;
  start(): () => Promise<void>;
}

const EVERY_MS = 2_000;

export function createDistribution(parts: DistributionParts): Distribution {
  const { database, history, clock, logger } = parts;

  async function distribute(scope: Scope, row: ReceiverRow, signal: AbortSignal): Promise<boolean> {
    await history.refresh(scope, row.tenant_id);
    const hasMore = await database.within(scope, (tx) => resolveSome(tx, row.receiver_id));
    await database.within(scope, (tx) => resolveUnassigned(tx, row));
    return (await placeSome(parts, scope, row, signal)) || hasMore;
  }

  async function turn(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    let hasMore = false;
    for (const scope of await parts.scopes()) {
      for (const row of await database.within(scope, allReceivers)) {
        if (signal.aborted) return false;
        try {
          if (await distribute(scope, row, signal)) hasMore = true;
        } catch (error) {
          logger.warn({ err: error, receiverId: row.receiver_id }, 'journal mail could not be distributed');
        }
      }
    }
    return hasMore;
  }

  return Object.freeze<Distribution>({
    turn,
    start: () =>
      repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'journal mail could not be distributed') }),
  });
}
