/** Counts what happened in the last `windowMs`, weighted by cost. */
export interface Window {
  /** Sum of costs between `nowMs - windowMs` and now. */
  sum(nowMs: number): number;
  add(nowMs: number, cost: number): void;
  /** Milliseconds until the sum is low enough for `cost` more under `limit`. */
  waitMs(nowMs: number, cost: number, limit: number): number;
}

interface Entry {
  readonly atMs: number;
  cost: number;
}

/** Entries closer than this are one: a day of requests then fits in a few thousand entries. */
const GRAINS = 2000;

export function createWindow(windowMs: number): Window {
  const grainMs = windowMs / GRAINS;
  let entries: Entry[] = [];
  let first = 0;
  let total = 0;

  function expire(nowMs: number): void {
    for (let entry = entries[first]; entry && entry.atMs <= nowMs - windowMs; entry = entries[first]) {
      total -= entry.cost;
      first += 1;
    }
    if (first > 1024 && first * 2 > entries.length) {
      entries = entries.slice(first);
      first = 0;
    }
  }

  return {
    sum(nowMs) {
      expire(nowMs);
      return total;
    },
    add(nowMs, cost) {
      expire(nowMs);
      const last = entries.at(-1);
      if (last && entries.length > first && nowMs - last.atMs < grainMs) last.cost += cost;
      else entries.push({ atMs: nowMs, cost });
      total += cost;
    },
    waitMs(nowMs, cost, limit) {
      expire(nowMs);
      let left = total;
      for (let index = first; index < entries.length; index += 1) {
        if (left + cost <= limit) break;
        const entry = entries[index];
        if (!entry) break;
        left -= entry.cost;
        if (left + cost <= limit) return Math.max(1, entry.atMs + windowMs - nowMs);
      }
      return left + cost <= limit ? 0 : windowMs;
    },
  };
}
