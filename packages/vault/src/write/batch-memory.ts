import { createSemaphore } from '@holdfast/foundation/concurrency';
import { ROOM_BEFORE_BYTES } from '../chunk/batch-room.ts';

/** What of a batch is content. Contents up to this size travel in batches; longer ones in parts of this size. */
export const BATCH_BYTES = 1024 * 1024;
/** Batches for each intake that are being filled or are under way. */
const BATCHES_PER_PORT = 4;

/** What all contents together may hold of their sources' memory before each of them has to be content with less than a batch. */
const GATHERED_BYTES = 8 * 1024 * 1024;
/** … and how much that is: many small parts cost more messages than they save memory. */
const CROWDED_BYTES = 256 * 1024;

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

/** Bytes that contents hold in the memory of their sources, until they have been laid into a batch. */
export interface GatheredMemory {
  hold(bytes: number): void;
  giveBack(bytes: number): void;
  /** Whether a content that holds so much should hand it over: a full batch, or less when all hold too much together. */
  isEnough(bytes: number): boolean;
}

export function createGatheredMemory(limitBytes = GATHERED_BYTES): GatheredMemory {
  let held = 0;
  return {
    hold: (bytes) => void (held += bytes),
    giveBack: (bytes) => void (held -= bytes),
    isEnough: (bytes) => bytes >= BATCH_BYTES || (bytes >= CROWDED_BYTES && held > limitBytes),
  };
}
