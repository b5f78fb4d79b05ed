import { systemClock, type Clock } from '@holdfast/foundation/clock';

/**
 * The real clock, but nobody has to wait: a sleep is over at once and moves the time on by its
 * length. Back-offs of minutes then cost a test nothing, while time-outs of real connections hold.
 */
export function createHurriedClock(): Clock {
  let aheadMs = 0;
  return Object.freeze({
    nowMs: () => systemClock.nowMs() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    async sleep(ms: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      aheadMs += Math.max(0, ms);
      await new Promise<void>((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    },
    after: (ms: number, run: () => void) => systemClock.after(ms, run),
    every: (ms: number, run: () => void) => systemClock.every(ms, run),
  });
}
