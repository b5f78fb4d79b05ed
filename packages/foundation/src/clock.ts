/**
 * The only place that reads the time. Everything else is handed a `Clock`, so that a test can
 * let fourteen days pass in a millisecond and replay a run exactly.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970, UTC. May jump. */
  nowMs(): number;
  /** Milliseconds from an arbitrary origin; never goes back. For durations. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms`. The returned function cancels. Does not keep the process alive. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` every `ms` until cancelled. Does not keep the process alive. */
  every(ms: number, run: () => void): () => void;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(Math.max(0, ms), MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The real clock of this machine. */
export const systemClock: Clock = Object.freeze({
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep,
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, Math.min(Math.max(0, ms), MAX_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(ms: number, run: () => void) {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
});

/** The present as a `Date`, for code that hands it to a library or a table. */
export function now(clock: Pick<Clock, 'nowMs'>): Date {
  return new Date(clock.nowMs());
}

/** The present as ISO 8601 in UTC. */
export function nowIso(clock: Clock): string {
  return now(clock).toISOString();
}
