import { backoffMs } from '@holdfast/foundation/retry';
import { graphError, isGraphError } from '../errors/errors.ts';
import type { WireRequest } from '../http/transport.ts';
import type { CallScope } from './call-scope.ts';
import { LONGEST_OUTAGE_MS } from './failure/breaker.ts';
import type { RequesterParts } from './request/requester-parts.ts';

const ANSWER_LIMIT_BYTES = 1024 * 1024;
const TRIES = 3;
/** The header tells whole seconds. Its last moment counts, or what was written a moment ago would be in the future. */
const REST_OF_SECOND_MS = 999;
const BACKOFF = { firstDelayMs: 2_000, maxDelayMs: 60_000 } as const;

export interface ServiceTimeParts extends Pick<RequesterParts, 'transport' | 'clock' | 'random'> {
  /** One that needs no sign-in to be answered: a refusal bears the time, too. */
  readonly request: () => WireRequest;
}

/**
 * What time it is for Microsoft 365: what each of its answers says, refusals and faults included. So it can be had for
 * a tenant whose sign-in no longer works. Less than a second later than when the answer was sent.
 */
export function createServiceTime({ transport, clock, random, request }: ServiceTimeParts, { signal, onWaiting }: CallScope) {
  async function ask(): Promise<number> {
    const response = await transport.send({ ...request(), ...(signal ? { signal } : {}) });
    await response.read(ANSWER_LIMIT_BYTES);
    const atMs = Date.parse(response.headers['date'] ?? '');
    if (Number.isNaN(atMs)) throw graphError('graph.unexpected-response', { reason: 'no date', status: response.status });
    return atMs + REST_OF_SECOND_MS;
  }

  return async function serviceTime(): Promise<number> {
    const sinceMs = clock.monotonicMs();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const atMs = await ask();
        onWaiting?.(undefined);
        return atMs;
      } catch (error) {
        if (!isGraphError(error, 'graph.network', 'graph.truncated')) throw error;
        const mayWait = onWaiting ? clock.monotonicMs() - sinceMs < LONGEST_OUTAGE_MS : attempt < TRIES;
        if (!mayWait) throw error;
        onWaiting?.(error.code);
        await clock.sleep(backoffMs(attempt, { ...BACKOFF, random }), signal);
      }
    }
  };
}
