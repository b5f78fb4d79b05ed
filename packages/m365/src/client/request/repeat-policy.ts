import { backoffMs } from '@holdfast/foundation/retry';
import { isGraphError } from '../../errors/errors.ts';
import type { BudgetCharge } from '../budget/budget-port.ts';
import type { Spending } from '../budget/charges.ts';
import type { CallScope } from '../call-scope.ts';
import { LONGEST_OUTAGE_MS, type Thing } from '../failure/breaker.ts';
import { LONGEST_WAIT_MS, retryAfterMs } from '../../http/retry-after.ts';
import type { WireResponse } from '../../http/transport.ts';
import { isGraphRoute } from '../routes/routes.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { GraphCall } from './graph-call.ts';
import type { RequesterParts } from './requester-parts.ts';

/** What the attempts of one request have used up so far. Throttling uses up nothing. */
export interface Progress {
  tries: number;
  /** When its tries were used up and the service turned out to be away. */
  awaySinceMs?: number;
  /** The service answered after its tries were used up: what it is still given are its last tries. */
  isLast: boolean;
  throttles: number;
  hasRenewed: boolean;
  /** How long its buckets rest after the last failure. */
  restMs: number;
}

export function startProgress(): Progress {
  return { tries: 0, isLast: false, throttles: 0, hasRenewed: false, restMs: 0 };
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
  const bytesOut = call.bytesOut ?? (call.raw ? Buffer.byteLength(call.raw.bytes) : undefined);
  return {
    route: call.route,
    params: call.params ?? [],
    isLink: call.link !== undefined && isGraphRoute(call.route),
    ...(call.mailbox === undefined ? {} : { mailbox: call.mailbox }),
    ...(call.bytesIn === undefined ? {} : { bytesIn: call.bytesIn }),
    ...(bytesOut === undefined ? {} : { bytesOut }),
  };
}

export interface RepeatPolicy {
  /** Pauses the buckets as soon as an answer's headers say so, before its body has come. */
  heed(charges: readonly BudgetCharge[], response: Pick<WireResponse, 'headers'>): Promise<void>;
  /**
   * Pauses the buckets of a failed request as long as its failure demands. Must be done before the request gives its
   * place back: whoever takes the place would be sent too early.
   */
  hold(attempt: FailedAttempt): Promise<void>;
  /** Waits what is left to wait before the request may be sent again, or throws the failure that stands. */
  prepareRepeat(attempt: FailedAttempt): Promise<void>;
}

/** What a request asks for: of a batch its first part, of an address of the service's own its path. */
function thingOf(call: GraphCall): Thing {
  const { params = [], link } = call.inner?.[0] ?? call;
  return params.length > 0 || link === undefined ? params : [URL.parse(link)?.pathname ?? link];
}

function isFault({ error }: AttemptFailure): boolean {
  return isGraphError(error, 'graph.service-fault', 'graph.network', 'graph.truncated');
}

/** Failures that an outage may cause. A gateway without a body looks like a page that is too large. */
function mayBeOutage(failure: AttemptFailure): boolean {
  return isFault(failure) || isGraphError(failure.error, 'graph.page-too-large', 'graph.sign-in-unavailable');
}

/** What follows a failed attempt, for the requests of one scope. */
export function createRepeatPolicy(parts: RequesterParts, { signal, onWaiting }: CallScope): RepeatPolicy {
  const { budgets, clock, counters, random } = parts;
  /** Attempts that failed in an outage: they wait for its end, not for their own tries. */
  const inOutage = new WeakSet<AttemptFailure>();

  /** How long the buckets have to rest; 0 when they need not. */
  function restMs({ call, charges, failure, progress }: FailedAttempt): number {
    if (failure.error.code === 'graph.throttled') {
      progress.throttles += 1;
      counters.throttled();
      return Math.max(1, failure.waitMs ?? backoffMs(progress.throttles, { ...BACKOFF, random }));
    }
    const outage = isFault(failure)
      ? parts.breaker.failed(
          charges.map((charge) => charge.bucket),
          thingOf(call),
        )
      : undefined;
    if (outage) inOutage.add(failure);
    return Math.max(failure.waitMs ?? 0, outage?.restMs ?? 0);
  }

  /**
   * Asked when a request would fail: when nothing else is answered either, the fault is not its own. A service that answers may
   * have come back since the last attempt, so the request is tried again: as if new after an outage, else once.
   */
  async function mayGoOn(failure: AttemptFailure, progress: Progress): Promise<boolean> {
    if (!onWaiting || !mayBeOutage(failure)) return false;
    const nowMs = clock.monotonicMs();
    if (nowMs - (progress.awaySinceMs ?? nowMs) > LONGEST_OUTAGE_MS) return false;
    const isAway = await parts.service.isAway();
    signal?.throwIfAborted();
    if (isAway) onWaiting(failure.error.code);
    else if (progress.isLast) return false;
    else progress.tries = progress.awaySinceMs === undefined ? failure.tries - 1 : 0;
    progress.isLast = !isAway;
    if (isAway) progress.awaySinceMs ??= nowMs;
    return true;
  }

  async function countTry({ failure, progress }: FailedAttempt): Promise<void> {
    progress.tries += 1;
    if (progress.tries >= failure.tries && !(await mayGoOn(failure, progress))) {
      onWaiting?.(undefined);
      throw failure.error;
    }
    await clock.sleep(Math.max(failure.waitMs ?? 0, backoffMs(progress.tries, { ...BACKOFF, random })), signal);
  }

  async function pauseAll(charges: readonly BudgetCharge[], forMs: number): Promise<void> {
    if (forMs > 0) await Promise.all(charges.map((charge) => budgets.pause(charge.bucket, forMs)));
  }

  return Object.freeze<RepeatPolicy>({
    heed: (charges, { headers }) => pauseAll(charges, retryAfterMs(headers, clock.nowMs()) ?? 0),
    async hold(attempt) {
      const forMs = restMs(attempt);
      attempt.progress.restMs = forMs;
      await pauseAll(attempt.charges, forMs);
    },
    async prepareRepeat(attempt) {
      const { charges, failure, progress } = attempt;
      parts.logger.debug({ code: failure.error.code, ...failure.error.details }, 'a request failed');
      if (failure.error.code === 'graph.token-refused' && !progress.hasRenewed) {
        progress.hasRenewed = true;
        return;
      }
      if (failure.error.code !== 'graph.throttled' && !inOutage.has(failure)) return countTry(attempt);
      if (progress.restMs > LONGEST_WAIT_MS) throw failure.error;
      if (inOutage.has(failure)) onWaiting?.(failure.error.code);
      if (charges.length === 0) await clock.sleep(progress.restMs, signal);
    },
  });
}
