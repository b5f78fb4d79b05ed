import type { Clock } from '../clock.ts';

interface Waiting {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  readonly everyMs?: number;
}

export interface FakeClock extends Clock {
  /** Lets `ms` pass: timers fire in order, and awaited continuations run between them. */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock alone, as an administrator or NTP would. Timers do not fire. */
  setNow(ms: number): void;
}

/** A clock that moves only when told. Starts at 2026-01-01T00:00:00Z unless given. */
export function createFakeClock(startMs: number = Date.UTC(2026, 0, 1)): FakeClock {
  let wallMs = startMs;
  let monotonic = 0;
  let order = 0;
  const waiting = new Set<Waiting>();

  function schedule(ms: number, run: () => void, everyMs?: number): () => void {
    let current: Waiting = {
      at: monotonic + Math.max(0, ms),
      order: order++,
      run: () => fire(),
      ...(everyMs === undefined ? {} : { everyMs }),
    };
    const fire = (): void => {
      waiting.delete(current);
      if (everyMs !== undefined) {
        current = { ...current, at: monotonic + everyMs, order: order++ };
        waiting.add(current);
      }
      run();
    };
    waiting.add(current);
    return () => waiting.delete(current);
  }

  function nextDue(until: number): Waiting | undefined {
    let best: Waiting | undefined;
    for (const entry of waiting) {
      if (entry.at > until) continue;
      if (!best || entry.at < best.at || (entry.at === best.at && entry.order < best.order)) best = entry;
    }
    return best;
  }

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  return {
    nowMs: () => wallMs,
    monotonicMs: () => monotonic,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const cancel = schedule(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        const onAbort = (): void => {
          cancel();
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
    after: (ms, run) => schedule(ms, run),
    every: (ms, run) => schedule(ms, run, ms),
    async advance(ms) {
      const until = monotonic + ms;
      await settle();
      for (let due = nextDue(until); due; due = nextDue(until)) {
        wallMs += due.at - monotonic;
        monotonic = due.at;
        due.run();
        await settle();
      }
      wallMs += until - monotonic;
      monotonic = until;
      await settle();
    },
    setNow(ms) {
      wallMs = ms;
    },
  };
}
