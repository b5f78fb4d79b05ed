import { frameKey } from './frame-cache.ts';
function comparePlaces(a, b) {
  return a.packId === b.packId ? a.frame - b.frame || a.blobOffset - b.blobOffset : a.packId < b.packId ? -1 : 1;
}
function lastPlace(content) {
  return content.places.reduce((last, place) => (last && comparePlaces(last, place) > 0 ? last : place), undefined);
}
/**
 * Contents in the order in which the last of their blobs lies in the packs. Going over the packs in
 * order, each content is complete at its turn, and only what is shared has to be kept in between.
 */
export function inPackOrder(contents) {
  return contents
    .map((content) => ({ content, last: lastPlace(content) }))
    .toSorted((a, b) => (a.last && b.last ? comparePlaces(a.last, b.last) : Number(a.last !== undefined) - Number(b.last !== undefined)))
    .map(({ content }) => content);
}
/** Runs of neighbours with about the same number of bytes, at most `count` of them. */
export function inRuns(contents, count) {
  const total = contents.reduce((sum, content) => sum + content.sizeBytes, 0);
  const runs = [[]];
  let bytes = 0;
  for (const content of contents) {
    if (bytes >= (total * runs.length) / count && runs.length < count) runs.push([]);
    runs.at(-1)?.push(content);
    bytes += content.sizeBytes;
  }
  return runs;
}
/** Which contents of a run use each blob, the next one last. */
function usesOf(contents) {
  const uses = new Map();
  for (let at = contents.length - 1; at >= 0; at -= 1) {
    for (const [blobId] of contents[at]?.pieces ?? []) {
      const known = uses.get(blobId);
      if (known) known.push(at);
      else uses.set(blobId, [at]);
    }
  }
  return {
    /** The next content after `at` that uses a blob. */
    after(blobId, at) {
      const known = uses.get(blobId);
      while (known && (known.at(-1) ?? at + 1) <= at) known.pop();
      return known?.at(-1);
    },
  };
}
/** All blobs that the contents use, by the frame they lie in. */
function blobsByFrame(contents) {
  const frames = new Map();
  for (const { pieces, places } of contents) {
    for (const [number, place] of places.entries()) {
      const key = frameKey(place);
      const blobs = frames.get(key) ?? new Map();
      frames.set(key, blobs);
      blobs.set(pieces[number][0], place);
    }
  }
  return frames;
}
/** What is kept between tasks, never more than `limitBytes`: what is needed last goes first. */
function createKept(limitBytes) {
  const kept = new Map();
  let bytes = 0;
  const drop = (blobId) => {
    bytes -= kept.get(blobId)?.bytes ?? 0;
    return kept.delete(blobId);
  };
  return {
    has: (blobId) => kept.has(blobId),
    drop,
    keep(blobId, length, nextUse) {
      const known = kept.get(blobId);
      if (known) known.nextUse = nextUse;
      else kept.set(blobId, { bytes: length, nextUse });
      if (!known) bytes += length;
    },
    /** Makes room; the blobs that had to go. */
    shrink() {
      if (bytes <= limitBytes) return [];
      const evicted = [];
      for (const [blobId] of [...kept].toSorted(([, a], [, b]) => b.nextUse - a.nextUse)) {
        if (bytes <= limitBytes * 0.9) break;
        drop(blobId);
        evicted.push(blobId);
      }
      return evicted;
    },
  };
}
/** The tasks of one run of contents. Each frame is opened once, as long as what is shared fits into `keptBytes`. */
export function* planTasks(contents, limits) {
  const uses = usesOf(contents);
  const frames = blobsByFrame(contents);
  const kept = createKept(limits.keptBytes);
  let opened = new Map();
  let opens = new Map();
  let used = new Set();
  let first = 0;
  let bytes = 0;
  function take(content, at) {
    bytes += content.sizeBytes;
    for (const [number, [blobId]] of content.pieces.entries()) {
      used.add(blobId);
      if (kept.has(blobId) || opened.has(blobId)) continue;
      const place = content.places[number];
      opens.set(frameKey(place), place);
      for (const [other, otherPlace] of frames.get(frameKey(place)) ?? []) {
        if (!kept.has(other) && !opened.has(other) && uses.after(other, at - 1) !== undefined) opened.set(other, otherPlace);
      }
    }
  }
  function endTask(at) {
    const dropped = [];
    for (const blobId of new Set([...used, ...opened.keys()])) {
      const nextUse = uses.after(blobId, at);
      if (nextUse !== undefined) kept.keep(blobId, opened.get(blobId)?.blobLength ?? 0, nextUse);
      else if (kept.drop(blobId)) dropped.push(blobId);
    }
    dropped.push(...kept.shrink().filter((blobId) => !opened.has(blobId)));
    const taken = [...opens].map(([key, address]) => ({
      packId: address.packId,
      frame: address.frame,
      frameOffset: address.frameOffset,
      frameLength: address.frameLength,
      blobs: [...(frames.get(key) ?? [])].flatMap(([blobId, place]) =>
        opened.get(blobId) === place ? [{ blobId, offset: place.blobOffset, length: place.blobLength, isKept: kept.has(blobId) }] : [],
      ),
    }));
    const task = { contents: contents.slice(first, at + 1), frames: taken, dropped };
    [opened, opens, used, first, bytes] = [new Map(), new Map(), new Set(), at + 1, 0];
    return task;
  }
  for (const [at, content] of contents.entries()) {
    take(content, at);
    const isFull = bytes >= limits.taskBytes || at + 1 - first >= limits.taskContents || opens.size >= limits.taskFrames;
    if (isFull || at === contents.length - 1) yield endTask(at);
  }
}
