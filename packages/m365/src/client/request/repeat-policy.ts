import { backoffMs } from '@holdfast/foundation/retry';
import { isGraphError } from '../../errors.ts';
import type { BudgetCharge } from '../budget/budget-port.ts';
import type { Spending } from '../budget/charges.ts';
import { LONGEST_WAIT_MS } from '../http/retry-after.ts';
import { isGraphRoute } from '../routes/routes.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { GraphCall } from './graph-call.ts';
import type { RequesterParts } from './requester-parts.ts';

/** What the attempts of one request have used up so far. Throttling uses up nothing. */
export interface Progress {
  tries: number;
  throttles: number;
  hasRenewed: boolean;
}

export function startProgress(): Progress {
  return { tries: 0, throttles: 0, hasRenewed: false };
}

export interface FailedAttempt {
  readonly call: GraphCall;
  readonly charges: readonly BudgetCharge[];
  readonly failure: AttemptFailure;
  readonly progress: Progress;
}

const BACKOFF = { firstDelayMs: 2_000, maxDelayMs: 300_000 } as const;

/** What a request spends, for the table of charges. */
export function spendingOf(call: GraphCall): Spending {
  return {
    route: call.route,
    params: call.params ?? [],
    isLink: call.link !== undefined && isGraphRoute(call.route),
    ...(call.mailbox === undefined ? {} : { mailbox: call.mailbox }),
    ...(call.bytesIn === undefined ? {} : { bytesIn: call.bytesIn }),
    ...(call.bytesOut === undefined ? {} : { bytesOut: call.bytesOut }),
  };
}

/** Waits as long as a failure demands before the request may be sent again, or throws what stands. */
export function createRepeatPolicy(parts: RequesterParts, signal: AbortSignal | undefined): (attempt: FailedAttempt) => Promise<void> {
  const { budgets, clock, counters, random } = parts;

  async function pauseAll(charges: readonly BudgetCharge[], forMs: number): Promise<void> {
    await Promise.all(charges.map((charge) => budgets.pause(charge.bucket, forMs)));
  }

  async function afterThrottle({ call, charges, failure, progress }: FailedAttempt): Promise<void> {
    progress.throttles += 1;
    counters.throttled();
    parts.charges.slowImport(spendingOf(call));
    const waitMs = Math.max(1, failure.waitMs ?? backoffMs(progress.throttles, { ...BACKOFF, random }));
    await pauseAll(charges, waitMs);
    if (waitMs > LONGEST_WAIT_MS) throw failure.error;
    if (charges.length === 0) await clock.sleep(waitMs, signal);
  }

  async function afterFault({ charges, failure, progress }: FailedAttempt): Promise<void> {
    const outage = parts.breaker.failed(charges.map((charge) => charge.bucket));
    if (outage) return pauseAll(charges, outage.restMs);
    await countTry(failure, progress);
  }

  async function countTry(failure: AttemptFailure, progress: Progress): Promise<void> {
    progress.tries += 1;
    if (progress.tries >= failure.tries) throw failure.error;
    await clock.sleep(Math.max(failure.waitMs ?? 0, backoffMs(progress.tries, { ...BACKOFF, random })), signal);
  }

  return async function prepareRepeat(attempt) {
    const { charges, failure, progress } = attempt;
    const { error } = failure;
    parts.logger.debug({ code: error.code, ...error.details }, 'a request failed');
    if (error.code === 'graph.token-refused' && !progress.hasRenewed) {
      progress.hasRenewed = true;
      return;
    }
    if (error.code === 'graph.throttled') return afterThrottle(attempt);
    if (failure.waitMs !== undefined) await pauseAll(charges, failure.waitMs);
    if (isGraphError(error, 'graph.service-fault', 'graph.network', 'graph.truncated')) return afterFault(attempt);
    await countTry(failure, progress);
  };
}
