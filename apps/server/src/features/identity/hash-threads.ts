import { startThread, type ThreadCaller } from '@holdfast/foundation/thread-calls';
import type { HashOrder, HashResult } from './hash-order.ts';

const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 } as const;

/** Threads that do nothing but hash, and give way to everybody who is signed in already. */
export interface HashThreads {
  run(order: HashOrder): Promise<HashResult>;
  close(): void;
}

function start(): ThreadCaller<HashOrder> {
  const ended = (): Error => new Error('A thread that hashes has ended.');
  return startThread<HashOrder>(new URL('./hash.thread.ts', import.meta.url), { limits: LIMITS, ended });
}

/** As many threads as there are orders at a time: a thread starts when none is idle, and stays. */
export function createHashThreads(): HashThreads {
  const idle: ThreadCaller<HashOrder>[] = [];
  let isClosed = false;

  return Object.freeze<HashThreads>({
    async run(order) {
      const thread = idle.pop() ?? start();
      try {
        return await thread.ask<HashResult>(order);
      } finally {
        if (isClosed) void thread.close();
        else if (!thread.hasEnded) idle.push(thread);
      }
    },
    close() {
      isClosed = true;
      for (const thread of idle.splice(0)) void thread.close();
    },
  });
}
