/** Lets at most `limit` holders in at once, in the order they asked. */
export interface Semaphore {
  /** Resolves with the function that gives the place back. */
  acquire(signal?: AbortSignal): Promise<() => void>;
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly inUse: number;
}

export function createSemaphore(limit: number): Semaphore {
  let inUse = 0;
  const queue: (() => void)[] = [];

  function release(): void {
    inUse -= 1;
    queue.shift()?.();
  }

  function enter(): () => void {
    inUse += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      release();
    };
  }

  function acquire(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (inUse < limit) return Promise.resolve(enter());
    return new Promise((resolve, reject) => {
      const onTurn = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve(enter());
      };
      const onAbort = (): void => {
        const place = queue.indexOf(onTurn);
        if (place >= 0) queue.splice(place, 1);
        reject(signal?.reason as Error);
      };
      queue.push(onTurn);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    acquire,
    async run(work, signal) {
      const leave = await acquire(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get inUse() {
      return inUse;
    },
  };
}

/**
 * Maps `items` with at most `limit` at a time and yields results in order. Pulls the source only
 * as fast as results are consumed. The first failure ends it after what was started has settled.
 */
export async function* mapConcurrent<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  map: (item: In) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
  const running: Promise<Out>[] = [];
  try {
    for await (const item of items) {
      const result = map(item);
      result.catch(() => undefined);
      running.push(result);
      if (running.length >= limit) yield (await running.shift()) as Out;
    }
    while (running.length > 0) yield (await running.shift()) as Out;
  } finally {
    await Promise.allSettled(running);
  }
}

/**
 * Runs `work` for each item with at most `limit` at a time, so that none waits for a slow one before it;
 * throws the first failure after all that were started have settled.
 */
export async function forEachConcurrent<In>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  work: (item: In) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let onEnd: (() => void) | undefined;
  try {
    for await (const item of items) {
      const run = work(item)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          running.delete(run);
          onEnd?.();
        });
      running.add(run);
      if (running.size >= limit) await new Promise<void>((resolve) => (onEnd = resolve));
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}
