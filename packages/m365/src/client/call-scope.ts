import type { GraphErrorCode } from '../errors/errors.ts';
import type { Priority } from './budget/budget-port.ts';

/** How a group of calls is made. */
export interface CallScope {
  /** Default `backup`. */
  readonly priority?: Priority;
  /** Ends waiting, requests and streams at once. */
  readonly signal?: AbortSignal;
  /**
   * Requests wait for a service that is away, and say here with which error; without a code it answers again. Requests
   * without it fail after their own tries, as somebody at a screen needs.
   */
  readonly onWaiting?: (code: GraphErrorCode | undefined) => void;
}
