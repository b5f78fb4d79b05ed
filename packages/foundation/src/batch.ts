/** Answers one key; undefined when there is nothing behind it. */
export type Lookup<Key, Value> = (key: Key) => Promise<Value | undefined>;

interface Waiting<Value> {
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchOptions {
  /** Loads that may run at a time; what is asked meanwhile waits for the next one and shares it. */
  readonly concurrent: number;
  /** Keys of one load. */
  readonly maxKeys: number;
}

/**
 * Gathers what is asked for in one turn of the event loop into one load. Nothing is remembered: a
 * question is only ever answered by a load that began after it was asked, so the answer is never older
 * than the question. A load that fails fails everybody who shares it; each may ask again.
 */
export function createBatch<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  options: BatchOptions,
): Lookup<Key, Value> {
  let waiting = new Map<Key, Waiting<Value>[]>();
  let running = 0;
  let isDue = false;

  /** The first keys that wait; the rest stays. */
  function take(): Map<Key, Waiting<Value>[]> {
    if (waiting.size <= options.maxKeys) {
      const all = waiting;
      waiting = new Map();
      return all;
    }
    const taken = new Map([...waiting].slice(0, options.maxKeys));
    for (const key of taken.keys()) waiting.delete(key);
    return taken;
  }

  async function run(): Promise<void> {
    const asked = take();
    try {
      const found = await load([...asked.keys()]);
      for (const [key, all] of asked) for (const one of all) one.resolve(found.get(key));
    } catch (error) {
      for (const all of asked.values()) for (const one of all) one.reject(error);
    }
  }

  function start(): void {
    isDue = false;
    while (running < options.concurrent && waiting.size > 0) {
      running += 1;
      void run().finally(() => {
        running -= 1;
        due();
      });
    }
  }

  /** After all that the event loop has read in this turn. */
  function due(): void {
    if (isDue || waiting.size === 0 || running >= options.concurrent) return;
    isDue = true;
    setImmediate(start);
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(key);
      if (others) others.push({ resolve, reject });
      else waiting.set(key, [{ resolve, reject }]);
      due();
    });
}
