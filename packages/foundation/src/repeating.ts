import type { Clock } from './clock.ts';

export interface Repeating {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Does what there is to do. True: there may be more, so that it is done again at once. */
  readonly turn: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Takes a turn at each interval, never two at once. Answers how to stop, which waits for the turn that is under way. */
export function repeat({ clock, everyMs, turn, onError }: Repeating): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  async function work(): Promise<void> {
    while (!signal.aborted && (await turn(signal)) === true);
  }
  const stop = clock.every(everyMs, () => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  });
  return async () => {
    stopping.abort();
    stop();
    await running;
  };
}
