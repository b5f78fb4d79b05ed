import type { BlobStore } from '@holdfast/vault';

/**
 * A store whose place is checked before its first request. A check that fails is made again by the next request: a name
 * that cannot be looked up, or a disk that is away, is waited for like the store itself.
 */
export function checkedFirst(store: BlobStore, check: () => Promise<unknown>): BlobStore {
  let checked: Promise<unknown> | undefined;

  async function after<Value>(work: () => Promise<Value>): Promise<Value> {
    checked ??= check().catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    await checked;
    return work();
  }

  return Object.freeze<BlobStore>({
    ...store,
    put: (name, parts, put) => after(() => store.put(name, parts, put)),
    get: (name, range, signal) => after(() => store.get(name, range, signal)),
    stat: (name) => after(() => store.stat(name)),
    async *list(prefix, from) {
      await after(() => Promise.resolve());
      yield* store.list(prefix, from);
    },
    delete: (name) => after(() => store.delete(name)),
    extendLock: (name, lock) => after(() => store.extendLock(name, lock)),
    removeLeftovers: (beforeMs) => after(() => store.removeLeftovers(beforeMs)),
  });
}
