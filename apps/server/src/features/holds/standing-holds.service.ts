import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { HoldsStore, SearchedHold } from './holds.store.ts';

export interface StandingHoldsOptions {
  readonly store: HoldsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scopes: () => Promise<readonly Scope[]>;
}

/**
 * Looks for what holds by search find. A deletion looks for itself; this is for queries that stop to find something while nothing is
 * deleted, such as those for the last thirty days: what was once a hit stays on hold.
 */
export interface StandingHolds {
  /** Asks the search of each hold in force, in all organisations. */
  turn(signal: AbortSignal): Promise<void>;
  /** Asks every quarter of an hour, until stopped. */
  start(): () => Promise<void>;
}

const EVERY_MS = 15 * 60_000;

export function createStandingHolds({ store, clock, logger, scopes }: StandingHoldsOptions): StandingHolds {
  async function ask(scope: Scope, hold: SearchedHold): Promise<void> {
    const isKnown = await store.within(scope, (tx) => store.remember(tx, hold));
    if (!isKnown) logger.warn({ holdId: hold.hold_id }, 'the search of a hold can no longer be read: the hold keeps everything');
  }

  async function askAll(scope: Scope, signal: AbortSignal): Promise<void> {
    for (const hold of await store.within(scope, (tx) => store.bySearch(tx))) {
      if (signal.aborted) return;
      // One search that cannot be answered must not keep the others from their hits.
      await ask(scope, hold).catch((error: unknown) => logger.warn({ err: error, holdId: hold.hold_id }, 'the search of a hold failed'));
    }
  }

  async function turn(signal: AbortSignal): Promise<void> {
    for (const scope of await scopes()) await askAll(scope, signal);
  }

  return Object.freeze<StandingHolds>({
    turn,
    start: () =>
      repeat({
        clock,
        everyMs: EVERY_MS,
        turn,
        onError: (error) => logger.warn({ err: error }, 'the searches of holds could not be asked'),
      }),
  });
}
