import type { Clock } from '@holdfast/foundation/clock';
import { errorText, isAppError } from '@holdfast/foundation/errors';
import type { BlobStore } from './blob-store.ts';

export type StoreOperation = 'put' | 'get' | 'stat' | 'list' | 'delete' | 'extendLock';

/** One request to a store as it went. */
export interface StoreRequest {
  readonly operation: StoreOperation;
  readonly bytes: number;
  readonly durationMs: number;
  /** The code of its failure, if it failed. */
  readonly failure?: string;
}

/** Tells `onRequest` of every request, also of those that fail. */
export function withMetrics(
  store: BlobStore,
  options: { readonly clock: Clock; readonly onRequest: (request: StoreRequest) => void },
): BlobStore {
  const { clock, onRequest } = options;

  async function measured<Value>(operation: StoreOperation, work: () => Promise<Value>, bytesOf: (value: Value) => number): Promise<Value> {
    const startMs = clock.monotonicMs();
    try {
      const value = await work();
      onRequest({ operation, bytes: bytesOf(value), durationMs: clock.monotonicMs() - startMs });
      return value;
    } catch (error) {
      const failure = isAppError(error) ? error.code : errorText(error);
      onRequest({ operation, bytes: 0, durationMs: clock.monotonicMs() - startMs, failure });
      throw error;
    }
  }

  const measuredStore: BlobStore = {
    ...store,
    fileOf: undefined,
    put: (name, parts, put) =>
      measured(
        'put',
        () => store.put(name, parts, put),
        () => parts.reduce((sum, part) => sum + part.byteLength, 0),
      ),
    get: (name, range, signal) =>
      measured(
        'get',
        () => store.get(name, range, signal),
        (data) => data.byteLength,
      ),
    stat: (name) =>
      measured(
        'stat',
        () => store.stat(name),
        () => 0,
      ),
    async *list(prefix, after) {
      const startMs = clock.monotonicMs();
      yield* store.list(prefix, after);
      onRequest({ operation: 'list', bytes: 0, durationMs: clock.monotonicMs() - startMs });
    },
    delete: (name) =>
      measured(
        'delete',
        () => store.delete(name),
        () => 0,
      ),
    extendLock: (name, lock) =>
      measured(
        'extendLock',
        () => store.extendLock(name, lock),
        () => 0,
      ),
  };
  return Object.freeze(measuredStore);
}
