import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How often the work is tried in all. */
  readonly tries: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  readonly signal?: AbortSignal;
  /** Whether this failure is worth another try. */
  shouldRetry(error: unknown): boolean;
  /** How long the other side told us to wait, if it did; never less is waited. */
  waitAtLeastMs?(error: unknown): number | undefined;
}

/** Exponential back-off with full jitter in its upper half: the delay before try `attempt + 1` (from 1). */
export function backoffMs(attempt: number, options: Pick<RetryOptions, 'firstDelayMs' | 'maxDelayMs' | 'random'>): number {
  const ceiling = Math.min(options.maxDelayMs, options.firstDelayMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * options.random.next();
}

/** Runs `work` until it succeeds, fails for good, or the tries are used up; then throws the last error. */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= options.tries || options.signal?.aborted || !options.shouldRetry(error)) throw error;
      const told = options.waitAtLeastMs?.(error) ?? 0;
      await options.clock.sleep(Math.max(told, backoffMs(attempt, options)), options.signal);
    }
  }
}
