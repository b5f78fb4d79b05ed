/**
 * What was spent in the last `windowMs`. Small limits keep each spending exactly; large ones keep 120 steps, and a step
 * counts until all of it has left the window, so that the limit is never passed by rounding.
 */
export interface SpendingWindow {
  spent(nowMs: number): number;
  spend(nowMs: number, cost: number): void;
  /** How long until at most `target` is spent. */
  waitMs(nowMs: number, target: number): number;
}

const STEPS = 120;
const EXACT_UP_TO = 200;

interface Entry {
  readonly at: number;
  cost: number;
}

export function createSpendingWindow(limit: number, windowMs: number): SpendingWindow {
  const stepMs = limit <= EXACT_UP_TO ? 0 : Math.ceil(windowMs / STEPS);
  let entries: Entry[] = [];
  let total = 0;

  /** An entry leaves when the whole of its step is older than the window. */
  function leavesAt(entry: Entry): number {
    return entry.at + stepMs + windowMs;
  }
  function drop(nowMs: number): void {
    let gone = 0;
    for (const entry of entries) {
      if (leavesAt(entry) > nowMs) break;
      total -= entry.cost;
      gone += 1;
    }
    if (gone > 0) entries = entries.slice(gone);
  }
  return {
    spent(nowMs) {
      drop(nowMs);
      return total;
    },
    spend(nowMs, cost) {
      drop(nowMs);
      const at = stepMs === 0 ? nowMs : Math.floor(nowMs / stepMs) * stepMs;
      const last = entries.at(-1);
      if (last && last.at >= at) last.cost += cost;
      else entries.push({ at, cost });
      total += cost;
    },
    waitMs(nowMs, target) {
      drop(nowMs);
      let left = total;
      for (const entry of entries) {
        if (left <= target) break;
        left -= entry.cost;
        if (left <= target) return Math.max(1, leavesAt(entry) - nowMs);
      }
      return 0;
    },
  };
}
