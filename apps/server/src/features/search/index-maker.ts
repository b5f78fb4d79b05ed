import type { ItemWords } from '@holdfast/engine';
import { startThread, type ThreadCaller } from '@holdfast/foundation/thread-calls';
import type { MadeOfWords } from './made-of-words.ts';

/** Makes what the index keeps of the words of an item. */
export interface IndexMaker {
  make(words: ItemWords): Promise<MadeOfWords>;
  close(): Promise<void>;
}

const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 } as const;

/** In a thread of its own, which starts with the first item and is replaced when it dies: whoever asks for a page does not wait for words. */
export function createIndexMaker(): IndexMaker {
  let thread: ThreadCaller<ItemWords> | undefined;
  const start = (): ThreadCaller<ItemWords> =>
    startThread<ItemWords>(new URL('./index-maker.thread.ts', import.meta.url), {
      limits: LIMITS,
      ended: () => new Error('The thread that makes rows of the index has ended.'),
    });

  return Object.freeze<IndexMaker>({
    make(words) {
      if (thread?.hasEnded !== false) thread = start();
      return thread.ask<MadeOfWords>(words);
    },
    async close() {
      await thread?.close();
    },
  });
}
