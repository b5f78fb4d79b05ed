import type { Clock } from '@holdfast/foundation/clock';
import { graphError } from '../../errors/errors.ts';
import { LONGEST_WAIT_MS } from '../../http/retry-after.ts';
import type { BudgetAnswer, BudgetClaim, BudgetPort } from './budget-port.ts';
import { lineKey, nextWaiter, removeWaiter, type Line, type Waiter } from './waiting-line.ts';

/** Lets requests through one by one as the budgets allow: restores first, then in the order they came. */
export interface Gate {
  /** Resolves with the function that gives slots back. Rejects with the signal's reason, or `graph.throttled` when told to wait too long. */
  enter(claim: BudgetClaim, signal?: AbortSignal): Promise<() => void>;
  /** How many wait for this bucket. */
  queued(bucket: string): number;
  /** How long requests have waited in all. */
  readonly waitedMs: number;
}

const TURN_MS = 2;
const RECENTLY_MS = 1_000;

/** Who was let through last asks a moment after those who were not, so that all lines of a bucket take turns. */
function turnMs(line: Line, nowMs: number): number {
  return nowMs - line.servedAtMs < RECENTLY_MS ? TURN_MS : 0;
}

/** Why a line's sleep ends early. One for all: an error made anew for each request costs as much as the sleep. */
const WOKEN = new Error('Something changed for the line.');

/** Sleeps until `ms` have passed or something changed for the line. */
async function pauseLine(clock: Clock, line: Line, ms: number): Promise<void> {
  const sleep = new AbortController();
  const woken = new Promise<void>((resolve) => {
    line.wake = resolve;
  });
  await Promise.race([clock.sleep(ms, sleep.signal).catch(() => undefined), woken]);
  line.wake = () => undefined;
  sleep.abort(WOKEN);
}

function isTooLong(answer: Extract<BudgetAnswer, { granted: false }>): boolean {
  return answer.reason === 'paused' && answer.waitMs > LONGEST_WAIT_MS;
}

/** Gives a grant's slots back, once, and tells who waits for them. */
function leaver(
  budgets: BudgetPort,
  claim: BudgetClaim,
  grant: { readonly id: string; readonly clock: Clock; wake(buckets: readonly string[]): void },
): () => void {
  let left = false;
  const slots = claim.charges.flatMap((charge) => (charge.slots ? [{ bucket: charge.bucket, leaseMs: charge.slots.leaseMs }] : []));
  const leaseMs = Math.min(...slots.map((slot) => slot.leaseMs));
  // A request that lasts keeps its slots; one of a process that died does not.
  const keep = (): void => void budgets.keep(grant.id, leaseMs).catch(() => undefined);
  const stop = slots.length > 0 ? grant.clock.every(leaseMs / 3, keep) : undefined;
  return () => {
    if (left) return;
    left = true;
    stop?.();
    const holding = slots.map((slot) => slot.bucket);
    if (holding.length === 0) return;
    const wake = (): void => grant.wake(holding);
    // A slot that could not be given back is free when its lease ends.
    budgets.giveBack(grant.id).then(wake, wake);
  };
}

/** A gate over `budgets` for one client. */
export function createGate(budgets: BudgetPort, clock: Clock): Gate {
  const lines = new Map<string, Line>();
  let waitedMs = 0;

  function wakeLines(buckets: readonly string[]): void {
    for (const line of lines.values()) if (line.buckets.some((bucket) => buckets.includes(bucket))) line.wake();
  }

  async function serveOne(line: Line, waiter: Waiter): Promise<void> {
    const answer = await budgets.take(waiter.claim);
    if (answer.granted) {
      const leave = leaver(budgets, waiter.claim, { id: answer.grantId, clock, wake: wakeLines });
      if (waiter.done) return leave();
      removeWaiter(line, waiter);
      line.servedAtMs = clock.monotonicMs();
      return waiter.resolve(leave);
    }
    // A restore that joined while the budgets were asked, or a waiter that left, had nobody to wake.
    if (nextWaiter(line) !== waiter) return;
    if (!isTooLong(answer)) return pauseLine(clock, line, answer.waitMs + turnMs(line, clock.monotonicMs()));
    throw graphError('graph.throttled', { bucket: answer.bucket, retryAfterMs: answer.waitMs });
  }

  async function serve(key: string, line: Line): Promise<void> {
    for (let waiter = nextWaiter(line); waiter; waiter = nextWaiter(line)) {
      try {
        await serveOne(line, waiter);
      } catch (error) {
        removeWaiter(line, waiter);
        waiter.reject(error);
      }
    }
    lines.delete(key);
  }

  function join(waiter: Waiter): Line {
    const key = lineKey(waiter.claim);
    const known = lines.get(key);
    if (known) {
      known.waiters.push(waiter);
      if (waiter.claim.priority === 'restore') known.wake();
      return known;
    }
    const line: Line = {
      buckets: waiter.claim.charges.map((charge) => charge.bucket),
      waiters: [waiter],
      wake: () => undefined,
      servedAtMs: Number.NEGATIVE_INFINITY,
    };
    lines.set(key, line);
    void serve(key, line);
    return line;
  }

  function wait(claim: BudgetClaim, signal: AbortSignal | undefined): Promise<() => void> {
    const since = clock.monotonicMs();
    const turn = Promise.withResolvers<() => void>();
    const waiter: Waiter = { claim, done: false, resolve: turn.resolve, reject: turn.reject };
    const line = join(waiter);
    const onAbort = (): void => {
      removeWaiter(line, waiter);
      line.wake();
      turn.reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    return turn.promise.finally(() => {
      signal?.removeEventListener('abort', onAbort);
      waitedMs += clock.monotonicMs() - since;
    });
  }

  return {
    enter(claim, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      return claim.charges.length === 0 ? Promise.resolve(() => undefined) : wait(claim, signal);
    },
    queued(bucket) {
      let count = 0;
      for (const line of lines.values()) if (line.buckets.includes(bucket)) count += line.waiters.length;
      return count;
    },
    get waitedMs() {
      return waitedMs;
    },
  };
}
