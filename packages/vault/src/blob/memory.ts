import type { Clock } from '@holdfast/foundation/clock';
import { systemClock } from '@holdfast/foundation/clock';
import { vaultError } from '../shared/errors.ts';
import type { BlobInfo, BlobRange, BlobStore, ObjectLock } from './blob-store.ts';
import { checkObjectName, sliceOf } from './object-name.ts';

interface Held {
  data: Buffer;
  modifiedAtMs: number;
  lock?: ObjectLock;
}

/** A store in memory, with conditional put and object lock: for tests, and the yardstick of the contract suite. */
export function createMemoryBlobStore(options: { readonly clock?: Clock; readonly conditionalPut?: boolean } = {}): BlobStore {
  const clock = options.clock ?? systemClock;
  const conditionalPut = options.conditionalPut ?? true;
  const objects = new Map<string, Held>();

  function refuseIfLocked(name: string): void {
    const until = objects.get(name)?.lock?.until;
    if (until && until.getTime() > clock.nowMs()) {
      throw vaultError('vault.object-locked', `${name} is locked until ${until.toISOString()}.`, { object: name });
    }
  }

  return Object.freeze({
    description: 'memory',
    abilities: { conditionalPut, objectLock: true },
    async put(name: string, parts: readonly Uint8Array[], put: { ifAbsent?: boolean; lock?: ObjectLock } = {}) {
      checkObjectName(name);
      if (put.ifAbsent && conditionalPut && objects.has(name)) {
        throw vaultError('vault.object-exists', `${name} exists already.`, { object: name });
      }
      refuseIfLocked(name);
      objects.set(name, { data: Buffer.concat(parts), modifiedAtMs: clock.nowMs(), ...(put.lock ? { lock: put.lock } : {}) });
    },
    async get(name: string, range?: BlobRange) {
      checkObjectName(name);
      const held = objects.get(name);
      if (!held) throw vaultError('vault.object-missing', `${name} is missing.`, { object: name });
      return Buffer.from(sliceOf(held.data, range));
    },
    async stat(name: string): Promise<BlobInfo | undefined> {
      checkObjectName(name);
      const held = objects.get(name);
      return held && { name, sizeBytes: held.data.byteLength, modifiedAtMs: held.modifiedAtMs };
    },
    async *list(prefix: string, after = '') {
      const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted();
      for (const name of names) {
        const held = objects.get(name);
        if (held) yield { name, sizeBytes: held.data.byteLength, modifiedAtMs: held.modifiedAtMs };
      }
    },
    async delete(name: string) {
      checkObjectName(name);
      refuseIfLocked(name);
      objects.delete(name);
    },
    async extendLock(name: string, lock: ObjectLock) {
      const held = objects.get(name);
      if (!held) throw vaultError('vault.object-missing', `${name} is missing.`, { object: name });
      if (!held.lock || held.lock.until < lock.until) held.lock = lock;
    },
    async removeLeftovers() {
      return 0;
    },
    async close() {
      // Nothing is held outside this object.
    },
  });
}
