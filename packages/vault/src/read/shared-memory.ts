/**
 * Memory in which the tasks of one plan leave blobs for later ones, whichever thread runs them. Tasks
 * write in the order of the plan, so that who has its turn finds everything from before; what they
 * read meanwhile is never written over, the plan sees to that. Who finds something else after all,
 * because a frame did not open, sees it by the hash of the content.
 */
export interface SharedMemory {
  readonly memory: SharedArrayBuffer;
  /** How many tasks have written what they leave. */
  readonly written: Int32Array<SharedArrayBuffer>;
}

/** More tasks than any plan has: nobody waits any more. */
const GIVEN_UP = 0x7fffffff;

export function createSharedMemory(memory: SharedArrayBuffer): SharedMemory {
  return { memory, written: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** Waits until all tasks before `number` have written, then writes. */
export function inTurn({ written }: SharedMemory, number: number, write: () => void): void {
  for (let done = Atomics.load(written, 0); done < number; done = Atomics.load(written, 0)) Atomics.wait(written, 0, done);
  try {
    write();
  } finally {
    Atomics.compareExchange(written, 0, number, number + 1);
    Atomics.notify(written, 0);
  }
}

/** Lets those go on that wait for a task which will never come. */
export function giveUp({ written }: SharedMemory): void {
  Atomics.store(written, 0, GIVEN_UP);
  Atomics.notify(written, 0);
}
