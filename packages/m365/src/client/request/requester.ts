import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';
import { graphError, isGraphError } from '../../errors.ts';
import type { CallScope } from '../../graph-client.ts';
import type { AccessToken, TokenSource } from '../../sign-in/token-source.ts';
import type { BudgetCharge, BudgetPort } from '../budget/budget-port.ts';
import { mergeCharges, type ChargeTable, type Spending } from '../budget/charges.ts';
import type { Gate } from '../budget/gate.ts';
import type { Breaker } from '../failure/breaker.ts';
import type { HostRules } from '../http/hosts.ts';
import { LONGEST_WAIT_MS, slowDownMs } from '../http/retry-after.ts';
import type { Transport, WireResponse } from '../http/transport.ts';
import { isGraphRoute, methodOf } from '../routes/routes.ts';
import { failureOfResponse, failureWithoutAnswer, type AttemptFailure } from './attempt-failure.ts';
import { buildRequest } from './build-request.ts';
import type { GraphCall } from './graph-call.ts';
import type { Counters } from './counters.ts';

export interface RequesterParts {
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly budgets: BudgetPort;
  readonly gate: Gate;
  readonly charges: ChargeTable;
  readonly breaker: Breaker;
  readonly hosts: HostRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly counters: Counters;
  readonly graphUrl: string;
  readonly userAgent: string;
}

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

interface Progress {
  tries: number;
  throttles: number;
  hasRenewed: boolean;
}

const BACKOFF = { firstDelayMs: 2_000, maxDelayMs: 300_000 } as const;

function spendingOf(call: GraphCall): Spending {
  return {
    route: call.route,
    params: call.params ?? [],
    isLink: call.link !== undefined && isGraphRoute(call.route),
    ...(call.mailbox === undefined ? {} : { mailbox: call.mailbox }),
    ...(call.bytesIn === undefined ? {} : { bytesIn: call.bytesIn }),
    ...(call.bytesOut === undefined ? {} : { bytesOut: call.bytesOut }),
  };
}

/** A requester over its parts; `scope` says for whom it asks. */
export function createRequester(parts: RequesterParts, scope: CallScope = {}): Requester {
  const { budgets, clock, counters, gate, random } = parts;
  const signal = scope.signal;

  async function pauseAll(charges: readonly BudgetCharge[], forMs: number): Promise<void> {
    await Promise.all(charges.map((charge) => budgets.pause(charge.bucket, forMs)));
  }

  /** Before the limit is reached: what the answer's headers say about what is left. */
  async function slowDown(charges: readonly BudgetCharge[], response: WireResponse): Promise<void> {
    const first = charges[0];
    if (!first) return;
    const forMs = slowDownMs(response.headers, gate.queued(first.bucket));
    if (forMs > 0) await budgets.pause(first.bucket, forMs);
  }

  async function attempt<T>(
    call: GraphCall,
    charges: readonly BudgetCharge[],
    consume: Consume<T>,
  ): Promise<{ value: T } | AttemptFailure> {
    let token: AccessToken | undefined;
    if (isGraphRoute(call.route)) token = await parts.tokens.current();
    const clientRequestId = parts.ids.uuid();
    const request = buildRequest(call, { ...parts, clientRequestId, token, signal });
    const leave = await gate.enter({ priority: scope.priority ?? 'backup', charges }, signal);
    let isKept = false;
    try {
      counters.sent(request);
      const response = await parts.transport.send(request);
      if (response.status < 400) {
        const value = await consume(response, () => {
          isKept = true;
          return leave;
        });
        await slowDown(charges, response);
        parts.breaker.succeeded(charges.map((charge) => charge.bucket));
        return { value };
      }
      const failure = await failureOfResponse(call, response, { nowMs: clock.nowMs(), token });
      if (failure.status === 401 && token) await parts.tokens.renewed(token);
      return failure;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (isGraphError(error, 'graph.network', 'graph.truncated')) return failureWithoutAnswer(call, error);
      throw error;
    } finally {
      if (!isKept) leave();
    }
  }

  async function afterThrottle(
    call: GraphCall,
    charges: readonly BudgetCharge[],
    failure: AttemptFailure,
    progress: Progress,
  ): Promise<void> {
    progress.throttles += 1;
    counters.throttled();
    parts.charges.slowImport(spendingOf(call));
    const waitMs = Math.max(failure.waitMs ?? 0, failure.waitMs === undefined ? backoffMs(progress.throttles, { ...BACKOFF, random }) : 1);
    await pauseAll(charges, waitMs);
    if (waitMs > LONGEST_WAIT_MS) throw failure.error;
    if (charges.length === 0) await clock.sleep(waitMs, signal);
  }

  async function afterFault(charges: readonly BudgetCharge[], failure: AttemptFailure, progress: Progress): Promise<void> {
    const outage = parts.breaker.failed(charges.map((charge) => charge.bucket));
    if (failure.waitMs !== undefined) await pauseAll(charges, failure.waitMs);
    if (outage) {
      await pauseAll(charges, outage.restMs);
      return;
    }
    progress.tries += 1;
    if (progress.tries >= failure.tries) throw failure.error;
    await clock.sleep(Math.max(failure.waitMs ?? 0, backoffMs(progress.tries, { ...BACKOFF, random })), signal);
  }

  /** Waits as long as the failure demands, or throws it. */
  async function prepareRepeat(
    call: GraphCall,
    charges: readonly BudgetCharge[],
    failure: AttemptFailure,
    progress: Progress,
  ): Promise<void> {
    const { error } = failure;
    parts.logger.debug({ code: error.code, ...error.details }, 'a request failed');
    if (error.code === 'graph.token-refused' && !progress.hasRenewed) {
      progress.hasRenewed = true;
      return;
    }
    if (error.code === 'graph.throttled') return afterThrottle(call, charges, failure, progress);
    if (failure.waitMs !== undefined) await pauseAll(charges, failure.waitMs);
    const isFault = isGraphError(error, 'graph.service-fault', 'graph.network', 'graph.truncated');
    if (isFault) return afterFault(charges, failure, progress);
    progress.tries += 1;
    if (progress.tries >= failure.tries) throw error;
    await clock.sleep(backoffMs(progress.tries, { ...BACKOFF, random }), signal);
  }

  async function perform<T>(call: GraphCall, consume: Consume<T>, recovered?: (found: unknown) => T): Promise<T> {
    const charges = mergeCharges((call.inner ?? [call]).map((part) => parts.charges.chargesOf(spendingOf(part))));
    const progress: Progress = { tries: 0, throttles: 0, hasRenewed: false };
    const mayRepeat = methodOf(call.route) !== 'POST' || call.isRepeatable === true;
    for (;;) {
      const result = await attempt(call, charges, consume);
      if ('value' in result) return result.value;
      await prepareRepeat(call, charges, result, progress);
      if (result.isUncertain && !mayRepeat) {
        if (!call.recover || !recovered) throw graphError('graph.write-uncertain', result.error.details, result.error);
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
