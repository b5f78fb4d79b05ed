import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPackOrder, planTasks, type PlacedContent, type ReadTask } from './plan.ts';
import { createWrittenStretches, piecesBeside } from './stretches.ts';

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

/** The same, going to a file from which each of its blobs may be copied. */
function toFile(content: PlacedContent, file: string): PlacedContent {
  const stretches = content.pieces.map(([key, length], at) => ({ key, firstPiece: at, pieceCount: 1, offset: at * length, length }));
  return { ...content, target: { file, stretches } };
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
 * Checks that a task has all it needs: what is copied is in a file of a task that has ended for sure, at the
 * place that is told, and all else in frames that were opened or in memory. How many blobs are copied.
 */
function checkTask(task: ReadTask<PlacedContent>, held: ReadonlySet<string>, ended: ReadonlyMap<string, PlacedContent>): number {
  for (const [at, { pieces }] of task.contents.entries()) {
    const copies = task.copies[at] ?? [];
    for (const { file, fileOffset, firstPiece } of copies) {
      expect(ended.get(file)?.pieces[fileOffset / BLOB_BYTES]).toEqual(pieces[firstPiece]);
    }
    for (const place of piecesBeside(pieces.length, copies)) expect(held.has(pieces[place]?.[0] ?? '')).toBe(true);
  }
  return task.copies.flat().length;
}

/**
 * Does what the assemblies do with the tasks, at the worst of moments: a task reads only when all that may
 * run beside it have written already, and copies while those before it are still at work. How often frames
 * were opened, and blobs copied.
 */
function follow(
  contents: readonly PlacedContent[],
  { keptBytes, tasksAtOnce }: { keptBytes: number; tasksAtOnce: number },
  written = createWrittenStretches(),
): { opened: number; copied: number } {
  const memory = aSharedMemory(keptBytes);
  const tasks = [...planTasks(contents, { ...LIMITS, keptBytes, tasksAtOnce }, written)];
  const write = (task: ReadTask<PlacedContent> | undefined): void => {
    for (const { blobs } of task?.frames ?? []) {
      for (const { blobId, keptAt, length } of blobs) if (keptAt !== undefined) memory.write(blobId, keptAt, length);
    }
  };
  const ended = new Map<string, PlacedContent>();
  let copied = 0;
  for (let ahead = 0; ahead < tasksAtOnce - 1; ahead += 1) write(tasks[ahead]);
  for (const [number, task] of tasks.entries()) {
    write(tasks[number + tasksAtOnce - 1]);
    for (const one of tasks[number - tasksAtOnce]?.contents ?? []) ended.set(one.target?.file ?? '', one);
    for (const { blobId, keptAt, length } of task.kept) expect(memory.holds(blobId, keptAt, length)).toBe(true);
    const held = new Set([...task.frames.flatMap((frame) => frame.blobs), ...task.kept].map(({ blobId }) => blobId));
    copied += checkTask(task, held, ended);
  }
  expect(tasks.flatMap((task) => task.contents)).toEqual(contents);
  return { opened: tasks.reduce((sum, task) => sum + task.frames.length, 0), copied };
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
        fc.boolean(),
        (contents, keptBytes, tasksAtOnce, isToFiles) => {
          const given = isToFiles ? contents.map((content, at) => toFile(content, `file-${at}`)) : contents;
          follow(inPackOrder(given), { keptBytes, tasksAtOnce });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('opens each frame once when what is shared may be kept', () => {
    fc.assert(
      fc.property(someContents, fc.integer({ min: 1, max: 4 }), (contents, tasksAtOnce) => {
        const frames = new Set(contents.flatMap(({ places }) => places.map(({ packId, frame }) => `${packId}:${frame}`)));
        expect(follow(inPackOrder(contents), { keptBytes: 1_000_000, tasksAtOnce }).opened).toBe(frames.size);
      }),
      { numRuns: 200 },
    );
  });

  it('opens each frame once when nothing may be kept, if what is shared lies in files that were written long before', () => {
    const contents = Array.from({ length: 40 }, (_, at) => toFile(aContent([at * 10, 400]), `file-${at}`));
    // The shared blob is in the last frame: it is opened for the first tasks, then copied by those that come after them.
    const { opened, copied } = follow(contents, { keptBytes: 0, tasksAtOnce: 2 });
    expect(copied).toBeGreaterThan(30);
    expect(opened).toBe(40 + 2);
  });

  it('copies what an earlier plan of the same run has written', () => {
    const written = createWrittenStretches();
    const contents = [toFile(aContent([1, 2]), 'file-1')];
    expect(follow(contents, { keptBytes: 0, tasksAtOnce: 2 }, written)).toEqual({ opened: 1, copied: 0 });
    const [task] = [...planTasks([toFile(aContent([2, 30]), 'file-2')], { ...LIMITS, keptBytes: 0, tasksAtOnce: 2 }, written)];
    expect(task?.copies).toEqual([[{ firstPiece: 0, pieceCount: 1, length: BLOB_BYTES, file: 'file-1', fileOffset: BLOB_BYTES }]]);
    expect(task?.frames).toMatchObject([{ frame: 3, blobs: [{ blobId: 'blob-30' }] }]);
  });
});
