import type { BlobStore } from './blob-store.ts';
import type { StoreOperation } from './with-metrics.ts';

/** What goes wrong with one request. `after` does the work and then fails: the answer was lost. */
export type StoreFault = { readonly before: Error } | { readonly after: Error } | { readonly answer: (data: Buffer) => Buffer };

/**
 * A store that fails as told: `decide` is asked before each request and gives what goes wrong, or
 * nothing. For tests and drills of everything above it.
 */
export function withFaults(store: BlobStore, decide: (operation: StoreOperation, name: string) => StoreFault | undefined): BlobStore {
  async function faulty<Value>(operation: StoreOperation, name: string, work: () => Promise<Value>): Promise<Value> {
    const fault = decide(operation, name);
    if (fault && 'before' in fault) throw fault.before;
    const value = await work();
    if (fault && 'after' in fault) throw fault.after;
    if (fault && 'answer' in fault && Buffer.isBuffer(value)) return fault.answer(value) as Value & Buffer;
    return value;
  }

  const faultyStore: BlobStore = {
    ...store,
    fileOf: undefined,
    put: (name, parts, put) => faulty('put', name, () => store.put(name, parts, put)),
    get: (name, range, signal) => faulty('get', name, () => store.get(name, range, signal)),
    stat: (name) => faulty('stat', name, () => store.stat(name)),
    async *list(prefix, after) {
      await faulty('list', prefix, async () => undefined);
      yield* store.list(prefix, after);
    },
    delete: (name) => faulty('delete', name, () => store.delete(name)),
    extendLock: (name, lock) => faulty('extendLock', name, () => store.extendLock(name, lock)),
  };
  return Object.freeze(faultyStore);
}
