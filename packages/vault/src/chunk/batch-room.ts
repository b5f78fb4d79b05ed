import { release } from '../shared/release.ts';

/** Free memory before the first content of a batch: what was held back of a long content is put in front of its next part there. */
export const ROOM_BEFORE_BYTES = 256 * 1024;
const ARENA_BYTES = 1024 * 1024;
const SPARE_ARENAS = 4;

/**
 * Memory for what is made of a batch while it is split: decoded text, and parts that must lie behind
 * what was held back. It is good until the batch is done; then the next one has it. Memory that comes
 * and goes with every attachment costs more in garbage collection than the hashes of it.
 */
export interface BatchRoom {
  take(bytes: number): Buffer;
  /** `held` and `data` behind each other. */
  join(held: Buffer, data: Buffer): Buffer;
}

/** Room for one batch whose bytes are `memory`. */
export interface ReusedRoom extends BatchRoom {
  /** Nothing of the batch is needed any more. */
  end(): void;
}

/** Gives rooms and keeps their memory for the next ones. */
export function createBatchRooms(): (memory: ArrayBufferLike) => ReusedRoom {
  const spare: Buffer[] = [];
  return (memory) => {
    let arena: Buffer | undefined;
    let used = 0;

    function take(bytes: number): Buffer {
      if (used + bytes > ARENA_BYTES) return Buffer.allocUnsafeSlow(bytes);
      arena ??= spare.pop() ?? Buffer.allocUnsafeSlow(ARENA_BYTES);
      used += bytes;
      return arena.subarray(used - bytes, used);
    }

    return {
      take,
      join(held, data) {
        if (held.byteLength === 0) return data;
        if (data.byteLength === 0) return held;
        const isFirst = data.buffer === memory && data.byteOffset === ROOM_BEFORE_BYTES;
        const fits = isFirst && held.byteLength <= ROOM_BEFORE_BYTES;
        const whole = fits
          ? Buffer.from(memory, ROOM_BEFORE_BYTES - held.byteLength, held.byteLength + data.byteLength)
          : take(held.byteLength + data.byteLength);
        whole.set(held);
        if (!fits) whole.set(data, held.byteLength);
        return whole;
      },
      end() {
        if (arena && spare.length < SPARE_ARENAS) spare.push(arena);
        else release(arena);
      },
    };
  };
}

/** Room that nobody gives back. */
export const freshRoom: BatchRoom = {
  take: (bytes) => Buffer.allocUnsafe(bytes),
  join: (held, data) => (held.byteLength === 0 ? data : data.byteLength === 0 ? held : Buffer.concat([held, data])),
};
