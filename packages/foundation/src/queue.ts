/** A queue that holds at most `capacity` values: the writer waits when it is full, the reader when it is empty. */
export interface BoundedQueue<T> extends AsyncIterable<T> {
  push(value: T): Promise<void>;
  /** No more values come; readers drain what is there and end. */
  close(): void;
  /** Readers and writers fail with `error`. */
  fail(error: unknown): void;
  readonly size: number;
}

export function createBoundedQueue<T>(capacity: number): BoundedQueue<T> {
  const values: T[] = [];
  const readers: (() => void)[] = [];
  const writers: (() => void)[] = [];
  let closed = false;
  let failure: { error: unknown } | undefined;

  function wakeAll(): void {
    for (const wake of [...readers.splice(0), ...writers.splice(0)]) wake();
  }

  async function push(value: T): Promise<void> {
    while (values.length >= capacity && !failure && !closed) await new Promise<void>((wake) => writers.push(wake));
    if (failure) throw failure.error;
    if (closed) throw new Error('The queue is closed.');
    values.push(value);
    readers.shift()?.();
  }

  async function* read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      if (failure) throw failure.error;
      if (values.length > 0) {
        const value = values.shift() as T;
        writers.shift()?.();
        yield value;
      } else if (closed) {
        return;
      } else {
        await new Promise<void>((wake) => readers.push(wake));
      }
    }
  }

  return {
    push,
    close() {
      closed = true;
      wakeAll();
    },
    fail(error) {
      failure ??= { error };
      wakeAll();
    },
    get size() {
      return values.length;
    },
    [Symbol.asyncIterator]: read,
  };
}
