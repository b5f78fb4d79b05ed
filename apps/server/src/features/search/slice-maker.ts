import type { ItemWords } from '@holdfast/engine';
import { startThread, type ThreadCaller } from '@holdfast/foundation/thread-calls';
import { slicesOf, type Slices } from './lexemes.ts';

/** Makes the rows of the index that the words of an item become. */
export interface SliceMaker {
  make(words: ItemWords): Promise<Slices>;
  close(): Promise<void>;
}

const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 } as const;

/** In the thread of the caller: for programs that do nothing else meanwhile. */
export const slicesHere: SliceMaker = Object.freeze<SliceMaker>({
  make: (words) => Promise.resolve(slicesOf(words)),
  close: () => Promise.resolve(),
});

/** In a thread of its own, which starts with the first item and is replaced when it dies: whoever asks for a page does not wait for words. */
export function createSliceThread(): SliceMaker {
  let thread: ThreadCaller<ItemWords> | undefined;
  const start = (): ThreadCaller<ItemWords> =>
    startThread<ItemWords>(new URL('./slices.thread.ts', import.meta.url), {
      limits: LIMITS,
      ended: () => new Error('The thread that makes rows of the index has ended.'),
    });

  return Object.freeze<SliceMaker>({
    make(words) {
      if (thread?.hasEnded !== false) thread = start();
      return thread.ask<Slices>(words);
    },
    async close() {
      await thread?.close();
    },
  });
}
