import type { BudgetClaim } from './budget-port.ts';

export interface Waiter {
  readonly claim: BudgetClaim;
  readonly resolve: (leave: () => void) => void;
  readonly reject: (error: unknown) => void;
  done: boolean;
}

/** Waiters that need the same buckets and windows, and so go in order. */
export interface Line {
  readonly buckets: readonly string[];
  readonly waiters: Waiter[];
  /** Ends the sleep between two questions to the port. */
  wake: () => void;
  /** When one of the line was let through last, in monotonic time. */
  servedAtMs: number;
}

/** Requests with the same key go in one line. */
export function lineKey(claim: BudgetClaim): string {
  return claim.charges.map((charge) => [charge.bucket, ...charge.windows.map((window) => window.name)].join('|')).join('\n');
}

/** Who is asked for next: restores first, then in order. */
export function nextWaiter(line: Line): Waiter | undefined {
  return line.waiters.find((waiter) => waiter.claim.priority === 'restore') ?? line.waiters[0];
}

export function removeWaiter(line: Line, waiter: Waiter): void {
  waiter.done = true;
  const place = line.waiters.indexOf(waiter);
  if (place >= 0) line.waiters.splice(place, 1);
}
