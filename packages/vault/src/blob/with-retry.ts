import type { Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Random } from '@holdfast/foundation/random';
import { retry } from '@holdfast/foundation/retry';
import type { BlobStore } from './blob-store.ts';

export interface WithRetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly tries?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
}

/**
 * Tries again what failed because the store was unavailable; nothing else. A conditional put that
 * was tried before and then finds the object looks whether it is its own: an answer may have been lost.
 */
export function withRetry(store: BlobStore, options: WithRetryOptions): BlobStore {
  const settings = {
    clock: options.clock,
    random: options.random,
    tries: options.tries ?? 6,
    firstDelayMs: options.firstDelayMs ?? 200,
    maxDelayMs: options.maxDelayMs ?? 20_000,
    shouldRetry: (error: unknown) => isAppError(error, 'vault.storage-unavailable'),
  };
  const again = <Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> =>
    retry(work, { ...settings, ...(signal ? { signal } : {}) });

  const retrying: BlobStore = {
    ...store,
    put(name, parts, put = {}) {
      return retry(
        async (attempt) => {
          try {
            await store.put(name, parts, put);
          } catch (error) {
            if (attempt === 1 || !isAppError(error, 'vault.object-exists')) throw error;
            if (!(await store.get(name)).equals(Buffer.concat(parts))) throw error;
          }
        },
        { ...settings, ...(put.signal ? { signal: put.signal } : {}) },
      );
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
            yield info;
          }
          return;
        } catch (error) {
          failed += 1;
          if (failed >= settings.tries || !settings.shouldRetry(error)) throw error;
          await options.clock.sleep(Math.min(settings.maxDelayMs, settings.firstDelayMs * 2 ** failed));
        }
      }
    },
    delete: (name) => again(() => store.delete(name)),
    extendLock: (name, lock) => again(() => store.extendLock(name, lock)),
    removeLeftovers: (beforeMs) => again(() => store.removeLeftovers(beforeMs)),
  };
  return Object.freeze(retrying);
}
