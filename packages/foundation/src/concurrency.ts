/** Lets holders in, in the order they asked, while what they hold together is at most `limit`. */
export interface Semaphore {
  /** Resolves with the function that gives the place back. */
  acquire(signal?: AbortSignal, weight?: number): Promise<() => void>;
  run<T>(work: () => Promise<T>, signal?: AbortSignal, weight?: number): Promise<T>;
  readonly inUse: number;
}

/** A holder weighs 1 unless it says otherwise; one that is heavier than the limit is let in alone. */
export function createSemaphore(limit: number): Semaphore {
  let inUse = 0;
  const queue: { readonly weight: number; readonly onTurn: () => void }[] = [];

  const fits = (weight: number): boolean => inUse + weight <= limit;

  function letIn(): void {
    for (let [next] = queue; next !== undefined && fits(next.weight); [next] = queue) {
      queue.shift();
      next.onTurn();
    }
  }

  function enter(weight: number): () => void {
    inUse += weight;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      inUse -= weight;
      letIn();
    };
  }

  function acquire(signal?: AbortSignal, asked = 1): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const weight = Math.min(asked, limit);
    if (queue.length === 0 && fits(weight)) return Promise.resolve(enter(weight));
    return new Promise((resolve, reject) => {
      const waiting = {
        weight,
        onTurn: (): void => {
          signal?.removeEventListener('abort', onAbort);
          resolve(enter(weight));
        },
      };
      const onAbort = (): void => {
        const place = queue.indexOf(waiting);
        if (place >= 0) queue.splice(place, 1);
        reject(signal?.reason as Error);
        // Who came behind may be light enough.
        letIn();
      };
      queue.push(waiting);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    acquire,
    async run(work, signal, weight) {
      const leave = await acquire(signal, weight);
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
