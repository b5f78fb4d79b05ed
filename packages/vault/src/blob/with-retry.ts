import type { Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Random } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';
import type { BlobStore } from './blob-store.ts';

/** Who waits for a store that is away as a whole. */
export interface StorePatience {
  /** How long it may be away before requests fail; 0 when nobody waits. Asked again before each wait. */
  longestMs(): number;
  /** The store went away, or is back. */
  changed(isAway: boolean): void;
}

export interface WithRetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly tries?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly patience?: StorePatience;
}

/** Between two looks whether a store that is away is back. */
const LOOK_AGAIN_MS = { firstDelayMs: 500, maxDelayMs: 5_000 };
/** Any name does: a store that says it has no such object is there. */
const PROBE = 'vault.json';

const isUnavailable = (error: unknown): boolean => isAppError(error, 'vault.storage-unavailable');

/** Repeats requests to one store. */
interface Repeater {
  /** Waits before the next attempt, or throws the error: `failed` says how often the request failed in a row. */
  next(error: unknown, failed: number, signal?: AbortSignal): Promise<'counts' | 'waited'>;
  answered(): void;
}

function createRepeater(store: BlobStore, options: WithRetryOptions): Repeater {
  const { clock, random, patience, tries = 6, firstDelayMs = 200, maxDelayMs = 20_000 } = options;
  let awaySinceMs: number | undefined;

  function answered(): void {
    if (awaySinceMs === undefined) return;
    awaySinceMs = undefined;
    patience?.changed(false);
  }

  async function isAway(): Promise<boolean> {
    try {
      await store.stat(PROBE);
    } catch (error) {
      if (isUnavailable(error)) return true;
    }
    answered();
    return false;
  }

  return {
    answered,
    async next(error, failed, signal) {
      if (!isUnavailable(error) || signal?.aborted) throw error;
      // One object that fails is that object's error; only a store that does not answer at all is waited for.
      if (patience && (await isAway())) {
        if (awaySinceMs === undefined) {
          awaySinceMs = clock.monotonicMs();
          patience.changed(true);
        }
        if (clock.monotonicMs() - awaySinceMs < patience.longestMs()) {
          await clock.sleep(backoffMs(Math.min(failed, 5), { ...LOOK_AGAIN_MS, random }), signal);
          return 'waited';
        }
      }
      if (failed >= tries) throw error;
      await clock.sleep(backoffMs(failed, { firstDelayMs, maxDelayMs, random }), signal);
      return 'counts';
    },
  };
}

/**
 * Tries again what failed because the store was unavailable; nothing else. With `patience`, a store that is away as a
 * whole is waited for, and what waits does not use up its tries. A conditional put that was tried before and then finds
 * the object looks whether it is its own: an answer may have been lost.
 */
export function withRetry(store: BlobStore, options: WithRetryOptions): BlobStore {
  const repeater = createRepeater(store, options);

  async function again<Value>(work: (isFirst: boolean) => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    let failed = 0;
    for (let isFirst = true; ; isFirst = false) {
      try {
        const value = await work(isFirst);
        repeater.answered();
        return value;
      } catch (error) {
        failed += 1;
        if ((await repeater.next(error, failed, signal)) === 'waited') failed = 0;
      }
    }
  }

  const retrying: BlobStore = {
    ...store,
    put(name, parts, put = {}) {
      return again(async (isFirst) => {
        try {
          await store.put(name, parts, put);
        } catch (error) {
          if (isFirst || !isAppError(error, 'vault.object-exists')) throw error;
          if (!(await store.get(name)).equals(Buffer.concat(parts))) throw error;
        }
      }, put.signal);
    },
    get: (name, range, signal) => again(() => store.get(name, range, signal), signal),
    stat: (name) => again(() => store.stat(name)),
    async *list(prefix, after = '') {
      let last = after;
      for (let failed = 0; ;) {
        try {
          for await (const info of store.list(prefix, last)) {
            last = info.name;
            failed = 0;
            repeater.answered();
            yield info;
          }
          return;
        } catch (error) {
          failed += 1;
          if ((await repeater.next(error, failed)) === 'waited') failed = 0;
        }
      }
    },
    delete: (name) => again(() => store.delete(name)),
    extendLock: (name, lock) => again(() => store.extendLock(name, lock)),
    removeLeftovers: (beforeMs) => again(() => store.removeLeftovers(beforeMs)),
  };
  return Object.freeze(retrying);
}
