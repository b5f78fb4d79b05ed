import { graphError, isGraphError } from '../../errors/errors.ts';
import type { CallScope } from '../call-scope.ts';
import type { BudgetCharge } from '../budget/budget-port.ts';
import { mergeCharges } from '../budget/charges.ts';
import { slowDownMs } from '../../http/retry-after.ts';
import type { WireResponse } from '../../http/transport.ts';
import { isGraphRoute, methodOf } from '../routes/routes.ts';
import { failureOfResponse, failureWithoutAnswer, type AttemptFailure } from './attempt-failure.ts';
import { buildRequest, writeOut } from './build-request.ts';
import { tellClosedMailbox } from './closed-mailbox.ts';
import type { RequesterParts } from './requester-parts.ts';
import { createRepeatPolicy, spendingOf, startProgress, type FailedAttempt } from './repeat-policy.ts';
import type { GraphCall } from './graph-call.ts';

/** Reads an answer. It may keep the place of the request by taking `leave`, and then must call it. */
export type Consume<T> = (response: WireResponse, keep: () => () => void) => Promise<T>;

/** Sends requests with everything that Microsoft asks of a client: budgets, pauses, back-off, renewed tokens. */
export interface Requester {
  readonly scope: CallScope;
  /**
   * Resolves with what `consume` made of a successful answer (below 400). Throws the error that stands after all tries.
   * When an answer was lost and `call.recover` found the result, `recovered` of it is returned.
   */
  perform<T>(call: GraphCall, consume: Consume<T>, recovered?: (found: unknown) => T): Promise<T>;
  with(scope: CallScope): Requester;
}

type Turn = Omit<FailedAttempt, 'failure'>;
type Attempt<T> = { readonly value: T } | { readonly failure: AttemptFailure };

const WITHOUT_ANSWER = ['graph.network', 'graph.truncated', 'graph.sign-in-unavailable'] as const;

/** A sign-in that got no answer has had its own tries. */
async function signInFailure({ tokens }: RequesterParts, call: GraphCall): Promise<AttemptFailure | undefined> {
  if (!isGraphRoute(call.route)) return undefined;
  try {
    await tokens.current();
    return undefined;
  } catch (error) {
    if (!isGraphError(error, ...WITHOUT_ANSWER)) throw error;
    return { ...failureWithoutAnswer(call, error), tries: 1, isUncertain: false };
  }
}

/** A requester over its parts; `scope` says for whom it asks. */
export function createRequester(parts: RequesterParts, scope: CallScope = {}): Requester {
  const { budgets, clock, counters, gate } = parts;
  const signal = scope.signal;
  const policy = createRepeatPolicy(parts, scope);

  /** Before the limit is reached: what the answer's headers say about what is left. */
  async function slowDown(charges: readonly BudgetCharge[], response: WireResponse): Promise<void> {
    const first = charges[0];
    if (!first) return;
    const forMs = slowDownMs(response.headers, gate.queued(first.bucket));
    if (forMs > 0) await budgets.pause(first.bucket, forMs);
  }

  /** Sends once and reads the answer; a failure is a value. */
  async function exchange<T>(
    call: GraphCall,
    charges: readonly BudgetCharge[],
    consume: (response: WireResponse) => Promise<T>,
  ): Promise<Attempt<T>> {
    try {
      // A place may have been waited for so long that the token from before is none any more.
      const token = isGraphRoute(call.route) ? await parts.tokens.current() : undefined;
      const request = buildRequest(call, { ...parts, clientRequestId: parts.ids.uuid(), token, signal });
      counters.sent(request);
      const response = await parts.transport.send(request);
      if (response.status < 400) {
        const value = await consume(response);
        await slowDown(charges, response);
        parts.breaker.succeeded(charges.map((charge) => charge.bucket));
        scope.onWaiting?.(undefined);
        return { value };
      }
      await policy.heed(charges, response);
      const failure = await failureOfResponse(call, response, { nowMs: clock.nowMs(), token });
      if (failure.status === 401 && token) await parts.tokens.renewed(token);
      return { failure };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (isGraphError(error, ...WITHOUT_ANSWER)) return { failure: failureWithoutAnswer(call, error) };
      throw error;
    }
  }

  async function attempt<T>(turn: Turn, consume: Consume<T>): Promise<Attempt<T>> {
    const { call, charges } = turn;
    const unsigned = await signInFailure(parts, call);
    if (unsigned) return { failure: unsigned };
    const leave = await gate.enter({ priority: scope.priority ?? 'backup', charges }, signal);
    let isKept = false;
    try {
      const result = await exchange(call, charges, (response) =>
        consume(response, () => {
          isKept = true;
          return leave;
        }),
      );
      if ('failure' in result) await policy.hold({ ...turn, failure: result.failure });
      return result;
    } finally {
      if (!isKept) leave();
    }
  }

  async function perform<T>(asked: GraphCall, consume: Consume<T>, recovered?: (found: unknown) => T): Promise<T> {
    const call = writeOut(asked);
    const charges = mergeCharges((call.inner ?? [call]).map((part) => parts.charges.chargesOf(spendingOf(part))));
    const turn: Turn = { call, charges, progress: startProgress() };
    const mayRepeat = methodOf(call.route) !== 'POST' || call.isRepeatable === true;
    for (;;) {
      const result = await attempt(turn, consume);
      if ('value' in result) return result.value;
      const failure = await tellClosedMailbox(parts, call, result.failure);
      await policy.prepareRepeat({ ...turn, failure });
      if (failure.isUncertain && !mayRepeat) {
        if (!call.recover || !recovered) throw graphError('graph.write-uncertain', failure.error.details, failure.error);
        const found = await call.recover();
        if (found !== undefined) return recovered(found);
      }
      counters.repeated();
    }
  }

  return Object.freeze({
    scope,
    perform,
    with: (next: CallScope) => createRequester(parts, { ...scope, ...next }),
  });
}
