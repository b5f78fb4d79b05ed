import type { Clock } from '../api/clock.ts';

interface Timer {
  at: number;
  readonly every: number | null;
  readonly run: () => void;
}

/** A clock that stands still until `advance` moves it; timers that fall due run in order. */
export function createFakeClock(start = Date.UTC(2026, 10, 21, 9, 30)): Clock & { advance(ms: number): void; jump(ms: number): void } {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer): (() => void) => {
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const next = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= until).toSorted((left, right) => left.at - right.at)[0];
  return {
    now: () => now,
    after: (ms, run) => add({ at: now + ms, every: null, run }),
    every: (ms, run) => add({ at: now + ms, every: ms, run }),
    advance(ms) {
      const until = now + ms;
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        now = Math.max(now, timer.at);
        if (timer.every === null) timers.delete(timer);
        else timer.at += timer.every;
        timer.run();
      }
      now = until;
    },
    /** The clock moves on without any timer running, as on a laptop that slept. */
    jump(ms) {
      now += ms;
    },
  };
}
