import type { Clock } from '@holdfast/foundation/clock';
import { graphError } from '../../errors.ts';
import { LONGEST_WAIT_MS } from '../http/retry-after.ts';
import type { BudgetClaim, BudgetPort } from './budget-port.ts';

/** Lets requests through one by one as the budgets allow: restores first, then in the order they came. */
export interface Gate {
  /** Resolves with the function that gives slots back. Rejects with the signal's reason, or `graph.throttled` when told to wait too long. */
  enter(claim: BudgetClaim, signal?: AbortSignal): Promise<() => void>;
  /** How many wait for this bucket. */
  queued(bucket: string): number;
  /** How long requests have waited in all. */
  readonly waitedMs: number;
}

interface Waiter {
  readonly claim: BudgetClaim;
  readonly resolve: (leave: () => void) => void;
  readonly reject: (error: unknown) => void;
  done: boolean;
}

/** Waiters that need the same buckets and windows, and so go in order. */
interface Line {
  readonly buckets: readonly string[];
  readonly waiters: Waiter[];
  /** Ends the sleep between two questions to the port. */
  wake: () => void;
}

function lineKey(claim: BudgetClaim): string {
  return claim.charges.map((charge) => [charge.bucket, ...charge.windows.map((window) => window.name)].join('|')).join('\n');
}

function next(line: Line): Waiter | undefined {
  return line.waiters.find((waiter) => waiter.claim.priority === 'restore') ?? line.waiters[0];
}

function remove(line: Line, waiter: Waiter): void {
  waiter.done = true;
  const place = line.waiters.indexOf(waiter);
  if (place >= 0) line.waiters.splice(place, 1);
}

/** A gate over `budgets` for one client. */
export function createGate(budgets: BudgetPort, clock: Clock): Gate {
  const lines = new Map<string, Line>();
  let waitedMs = 0;

  function wakeLines(buckets: readonly string[]): void {
    for (const line of lines.values()) if (line.buckets.some((bucket) => buckets.includes(bucket))) line.wake();
  }

  function leaver(grantId: string, claim: BudgetClaim): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      if (!claim.charges.some((charge) => charge.slots)) return;
      const wake = (): void => wakeLines(claim.charges.map((charge) => charge.bucket));
      // A slot that could not be given back is free when its lease ends.
      budgets.giveBack(grantId).then(wake, wake);
    };
  }

  async function pauseLine(line: Line, ms: number): Promise<void> {
    const sleep = new AbortController();
    const woken = new Promise<void>((resolve) => {
      line.wake = resolve;
    });
    await Promise.race([clock.sleep(ms, sleep.signal).catch(() => undefined), woken]);
    line.wake = () => undefined;
    sleep.abort();
  }

  async function serve(key: string, line: Line): Promise<void> {
    for (let waiter = next(line); waiter; waiter = next(line)) {
      try {
        const answer = await budgets.take(waiter.claim);
        if (answer.granted) {
          const leave = leaver(answer.grantId, waiter.claim);
          if (waiter.done) leave();
          else {
            remove(line, waiter);
            waiter.resolve(leave);
          }
        } else if (answer.reason === 'paused' && answer.waitMs > LONGEST_WAIT_MS) {
          remove(line, waiter);
          waiter.reject(graphError('graph.throttled', { bucket: answer.bucket, retryAfterMs: answer.waitMs }));
        } else {
          await pauseLine(line, answer.waitMs);
        }
      } catch (error) {
        remove(line, waiter);
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
    };
    lines.set(key, line);
    void serve(key, line);
    return line;
  }

  return {
    enter(claim, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      if (claim.charges.length === 0) return Promise.resolve(() => undefined);
      const since = clock.monotonicMs();
      return new Promise<() => void>((resolve, reject) => {
        const onAbort = (): void => {
          remove(line, waiter);
          line.wake();
          reject(signal?.reason as Error);
        };
        const settled = (): void => {
          signal?.removeEventListener('abort', onAbort);
          waitedMs += clock.monotonicMs() - since;
        };
        const waiter: Waiter = {
          claim,
          done: false,
          resolve: (leave) => {
            settled();
            resolve(leave);
          },
          reject: (error) => {
            settled();
            reject(error as Error);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const line = join(waiter);
      });
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
