import { Worker } from 'node:worker_threads';
import type { HashAnswer, HashOrder } from './hash-order.ts';

const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 } as const;

/** Threads that do nothing but hash, and give way to everybody who is signed in already. */
export interface HashThreads {
  run(order: HashOrder): Promise<HashAnswer>;
  close(): void;
}

/** Resolves with the next answer; rejects when the thread ends instead. */
function answerOf(thread: Worker): Promise<HashAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HashAnswer>();
  const onExit = (): void => reject(new Error('A thread that hashes has ended.'));
  thread.once('message', resolve).once('error', reject).once('exit', onExit);
  return promise.finally(() => thread.off('message', resolve).off('error', reject).off('exit', onExit));
}

/** As many threads as there are orders at a time: a thread starts when none is idle, and stays. Only work keeps the process alive. */
export function createHashThreads(): HashThreads {
  const idle: Worker[] = [];
  let isClosed = false;

  function start(): Worker {
    return new Worker(new URL('./hash.thread.ts', import.meta.url), { resourceLimits: LIMITS });
  }

  return Object.freeze<HashThreads>({
    async run(order) {
      const thread = idle.pop() ?? start();
      thread.ref();
      const answered = answerOf(thread);
      thread.postMessage(order);
      const answer = await answered;
      thread.unref();
      if (isClosed) void thread.terminate();
      else idle.push(thread);
      return answer;
    },
    close() {
      isClosed = true;
      for (const thread of idle.splice(0)) void thread.terminate();
    },
  });
}
