import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPackOrder, planTasks, type PlacedContent, type ReadTask } from './plan.ts';

const BLOB_BYTES = 100;
const LIMITS = { keptBytes: 1_000_000, tasksAtOnce: 1, taskBytes: 1000, taskContents: 5, taskFrames: 3 };

/** Blob n is one of ten in its frame, and there are five frames in a pack. */
function aContent(blobs: readonly number[]): PlacedContent {
  return {
    sizeBytes: blobs.length * BLOB_BYTES,
    pieces: blobs.map((blob) => [`blob-${blob}`, BLOB_BYTES]),
    places: blobs.map((blob) => ({
      packId: `pack-${Math.floor(blob / 50)}`,
      frame: Math.floor(blob / 10) % 5,
      frameOffset: 1000 * (Math.floor(blob / 10) % 5),
      frameLength: 1000,
      blobOffset: BLOB_BYTES * (blob % 10),
      blobLength: BLOB_BYTES,
    })),
  };
}

/** What lies where in the memory that all tasks share, down to the byte. */
function aSharedMemory(sizeBytes: number) {
  const owner = new Map<number, string>();
  const bytesOf = (at: number, length: number): number[] => Array.from({ length }, (_, byte) => at + byte);
  return {
    write(blobId: string, at: number, length: number): void {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at + length).toBeLessThanOrEqual(sizeBytes);
      for (const byte of bytesOf(at, length)) owner.set(byte, blobId);
    },
    holds: (blobId: string, at: number, length: number): boolean => bytesOf(at, length).every((byte) => owner.get(byte) === blobId),
  };
}

/**
 * Does what the assemblies do with the tasks, at the worst of moments: a task reads only when all that may
 * run beside it have written already. How often frames were opened.
 */
function follow(contents: readonly PlacedContent[], { keptBytes, tasksAtOnce }: { keptBytes: number; tasksAtOnce: number }): number {
  const memory = aSharedMemory(keptBytes);
  const tasks = [...planTasks(contents, { ...LIMITS, keptBytes, tasksAtOnce })];
  const write = (task: ReadTask<PlacedContent> | undefined): void => {
    for (const { blobs } of task?.frames ?? []) {
      for (const { blobId, keptAt, length } of blobs) if (keptAt !== undefined) memory.write(blobId, keptAt, length);
    }
  };
  for (let ahead = 0; ahead < tasksAtOnce - 1; ahead += 1) write(tasks[ahead]);
  for (const [number, task] of tasks.entries()) {
    write(tasks[number + tasksAtOnce - 1]);
    const opened = new Set(task.frames.flatMap((frame) => frame.blobs.map((blob) => blob.blobId)));
    for (const { blobId, keptAt, length } of task.kept) {
      expect(memory.holds(blobId, keptAt, length)).toBe(true);
      opened.add(blobId);
    }
    for (const { pieces } of task.contents) for (const [blobId] of pieces) expect(opened.has(blobId)).toBe(true);
  }
  expect(tasks.flatMap((task) => task.contents)).toEqual(contents);
  return tasks.reduce((sum, task) => sum + task.frames.length, 0);
}

const someContents = fc.array(
  fc.array(fc.nat(300), { maxLength: 6 }).map((blobs) => aContent([...new Set(blobs)])),
  { maxLength: 60 },
);

describe('the plan of reading many', () => {
  it('has every blob at hand when its content comes, whoever runs beside it and however little may be kept', () => {
    fc.assert(
      fc.property(
        someContents,
        fc.constantFrom(0, 600, 3000, 1_000_000),
        fc.integer({ min: 1, max: 4 }),
        (contents, keptBytes, tasksAtOnce) => {
          follow(inPackOrder(contents), { keptBytes, tasksAtOnce });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('opens each frame once when what is shared may be kept', () => {
    fc.assert(
      fc.property(someContents, fc.integer({ min: 1, max: 4 }), (contents, tasksAtOnce) => {
        const frames = new Set(contents.flatMap(({ places }) => places.map(({ packId, frame }) => `${packId}:${frame}`)));
        expect(follow(inPackOrder(contents), { keptBytes: 1_000_000, tasksAtOnce })).toBe(frames.size);
      }),
      { numRuns: 200 },
    );
  });
});
