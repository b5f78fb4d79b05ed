import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPackOrder, inRuns, planTasks, type PlacedContent } from './plan.ts';

const BLOB_BYTES = 100;
const LIMITS = { keptBytes: 1_000_000, taskBytes: 1000, taskContents: 5, taskFrames: 3 };

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

/** Does what an assembly does with the tasks; how often frames were opened and how much was kept at most. */
function follow(contents: readonly PlacedContent[], keptBytes: number) {
  const kept = new Set<string>();
  let opens = 0;
  let mostKept = 0;
  const done: PlacedContent[] = [];
  for (const task of planTasks(contents, { ...LIMITS, keptBytes })) {
    opens += task.frames.length;
    const opened = new Set(task.frames.flatMap((frame) => frame.blobs.map((blob) => blob.blobId)));
    for (const content of task.contents) {
      for (const [blobId] of content.pieces) expect(opened.has(blobId) || kept.has(blobId)).toBe(true);
    }
    done.push(...task.contents);
    for (const blobId of task.dropped) expect(kept.delete(blobId)).toBe(true);
    for (const blob of task.frames.flatMap((frame) => frame.blobs)) if (blob.isKept) kept.add(blob.blobId);
    mostKept = Math.max(mostKept, kept.size * BLOB_BYTES);
  }
  expect(done).toEqual(contents);
  return { opens, mostKept, leftOver: kept.size };
}

const someContents = fc.array(
  fc.array(fc.nat(300), { maxLength: 6 }).map((blobs) => aContent([...new Set(blobs)])),
  { maxLength: 60 },
);

describe('the plan of reading many', () => {
  it('has every blob at hand when its content comes, keeps no more than it may, and nothing at the end', () => {
    fc.assert(
      fc.property(someContents, fc.constantFrom(0, 500, 3000, 1_000_000), (contents, keptBytes) => {
        const { mostKept, leftOver } = follow(inPackOrder(contents), keptBytes);
        expect(mostKept).toBeLessThanOrEqual(keptBytes);
        expect(leftOver).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('opens each frame once when what is shared may be kept', () => {
    fc.assert(
      fc.property(someContents, (contents) => {
        const frames = new Set(contents.flatMap(({ places }) => places.map(({ packId, frame }) => `${packId}:${frame}`)));
        expect(follow(inPackOrder(contents), 1_000_000).opens).toBe(frames.size);
      }),
      { numRuns: 200 },
    );
  });

  it('gives every content to one run, and the runs are of like size', () => {
    const contents = Array.from({ length: 100 }, (_, at) => aContent([at]));
    const runs = inRuns(contents, 4);
    expect(runs.flat()).toEqual(contents);
    expect(runs.map((run) => run.length)).toEqual([25, 25, 25, 25]);
    expect(inRuns([], 4)).toEqual([[]]);
  });
});
