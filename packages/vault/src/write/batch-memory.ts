import { createSemaphore } from '@holdfast/foundation/concurrency';
import { ROOM_BEFORE_BYTES } from '../chunk/batch-room.ts';

/** What of a batch is content. Contents up to this size travel in batches; longer ones in parts of this size. */
export const BATCH_BYTES = 1024 * 1024;
/** Batches for each intake that are being filled or are under way. */
const BATCHES_PER_PORT = 4;

/** Memory of one batch, given back when the batch is done. */
export interface BatchSlot {
  readonly bytes: SharedArrayBuffer;
  release(): void;
}

/**
 * Memory for all batches of a vault. It is shared with the threads and used again and again: nothing
 * is handed over and nothing is collected. How much there is bounds what all writers have under way;
 * who holds some never waits for more.
 */
export interface BatchMemory {
  acquire(): Promise<BatchSlot>;
}

export function createBatchMemory(ports: number): BatchMemory {
  const places = createSemaphore(ports * BATCHES_PER_PORT);
  const spare: SharedArrayBuffer[] = [];
  return {
    async acquire() {
      const leave = await places.acquire();
      const bytes = spare.pop() ?? new SharedArrayBuffer(ROOM_BEFORE_BYTES + BATCH_BYTES);
      let isReleased = false;
      return {
        bytes,
        release() {
          if (isReleased) return;
          isReleased = true;
          spare.push(bytes);
          leave();
        },
      };
    },
  };
}
