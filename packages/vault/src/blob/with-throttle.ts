import { createSemaphore } from '@holdfast/foundation/concurrency';
import type { Clock } from '@holdfast/foundation/clock';
import type { BlobStore } from './blob-store.ts';

export interface WithThrottleOptions {
  readonly clock: Clock;
  /** Requests under way at once. */
  readonly concurrency?: number;
  /** Bytes a second, up and down each. */
  readonly bytesPerSecond?: number;
}

/** Bounds how hard a store is used: requests at once, and bytes a second. */
export function withThrottle(store: BlobStore, options: WithThrottleOptions): BlobStore {
  const places = createSemaphore(options.concurrency ?? Number.POSITIVE_INFINITY);

  function createMeter(): (bytes: number, signal?: AbortSignal) => Promise<void> {
    const rate = options.bytesPerSecond;
    let freeAtMs = 0;
    return async (bytes, signal) => {
      if (rate === undefined) return;
      const nowMs = options.clock.monotonicMs();
      const startMs = Math.max(nowMs, freeAtMs);
      freeAtMs = startMs + (bytes / rate) * 1000;
      if (startMs > nowMs) await options.clock.sleep(startMs - nowMs, signal);
    };
  }
  const up = createMeter();
  const down = createMeter();

  const throttled: BlobStore = {
    ...store,
    fileOf: undefined,
    async put(name, parts, put = {}) {
      await up(
        parts.reduce((sum, part) => sum + part.byteLength, 0),
        put.signal,
      );
      await places.run(() => store.put(name, parts, put), put.signal);
    },
    async get(name, range, signal) {
      const data = await places.run(() => store.get(name, range, signal), signal);
      await down(data.byteLength, signal);
      return data;
    },
    stat: (name) => places.run(() => store.stat(name)),
    delete: (name) => places.run(() => store.delete(name)),
    extendLock: (name, lock) => places.run(() => store.extendLock(name, lock)),
  };
  return Object.freeze(throttled);
}
