import type { Priority } from './budget/budget-port.ts';

/** How a group of calls is made. */
export interface CallScope {
  /** Default `backup`. */
  readonly priority?: Priority;
  /** Ends waiting, requests and streams at once. */
  readonly signal?: AbortSignal;
}
