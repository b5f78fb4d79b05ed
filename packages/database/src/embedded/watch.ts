import { systemClock } from '@holdfast/foundation/clock';
import { AppError, errorText } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';
import type { Claim } from './claim.ts';

/** A server that runs, and the claim on it. */
export interface Kept {
  readonly running: { readonly port: number; readonly processId: number };
  readonly claim: Claim;
}

/** Keeps a server running for as long as this process lives. */
export interface Watch {
  kept(): Kept;
  /** How often the server was started again. */
  restarts(): number;
  /** Resolves when the server ended and could not be started again. */
  readonly lost: Promise<AppError>;
  /** Watches no longer, and waits for a start that is under way. */
  stop(): Promise<void>;
}

export interface WatchOptions {
  readonly first: Kept;
  readonly logger: Logger;
  /** Starts the server again, or adopts one that runs, and claims it. It may be reached at another port then. */
  readonly again: (last: Kept, signal: AbortSignal) => Promise<Kept>;
}

/** Starts in a row that may fail: about ten seconds, enough for what the old server left behind to go away. */
const TRIES = 6;
const DELAYS = { firstDelayMs: 250, maxDelayMs: 5_000, random: secureRandom };

/** Starts the server again whenever it ends, and claims it again whenever it drops its connections. */
export function watchServer({ first, logger, again }: WatchOptions): Watch {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lost = Promise.withResolvers<AppError>();
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  let kept = first;
  let restarts = 0;

  async function restore(): Promise<Kept> {
    for (let failed = 0; ;) {
      try {
        return await again(kept, signal);
      } catch (error) {
        failed += 1;
        if (signal.aborted || failed >= TRIES) throw error;
        logger.error({ reason: errorText(error), failed }, 'the database could not be started again yet');
        await systemClock.sleep(backoffMs(failed, DELAYS), signal);
      }
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      await Promise.race([kept.claim.lost, stopped]);
      if (signal.aborted) return;
      const { processId } = kept.running;
      logger.error({ event: 'database-ended', processId }, 'the database ended; starting it again');
      kept = await restore();
      if (kept.running.processId !== processId) restarts += 1;
      logger.warn({ event: 'database-restarted', ...kept.running }, 'the database runs again');
    }
  }

  const running = run().catch((error: unknown) => {
    if (signal.aborted) return;
    lost.resolve(error instanceof AppError ? error : new AppError('database.did-not-start', { message: errorText(error), cause: error }));
  });
  return {
    kept: () => kept,
    restarts: () => restarts,
    lost: lost.promise,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
