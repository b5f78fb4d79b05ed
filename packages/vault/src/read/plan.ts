import type { Piece } from '../chunk/content-ref.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import { frameKey, type FrameAddress } from './frame-cache.ts';
import { createRoom } from './room.ts';
import { piecesBeside, type CopiedStretch, type Stretch, type WrittenStretches } from './stretches.ts';

/** A content whose pieces and their places are known. */
export interface PlacedContent {
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
  readonly places: readonly BlobPlace[];
  /** Where it is written to, and what of it may be copied from there for later ones. */
  readonly target?: { readonly file: string; readonly stretches: readonly Stretch[] };
}

/** A blob that a task takes out of a frame. With `keptAt` a later task needs it again: it is left there in the memory that all share. */
export interface TakenBlob {
  readonly blobId: string;
  readonly offset: number;
  readonly length: number;
  readonly keptAt?: number;
}

/** A blob that an earlier task has left in the memory that all share. */
export interface KeptBlob {
  readonly blobId: string;
  readonly keptAt: number;
  readonly length: number;
}

/** Contents that are put together in one go, the frames to be opened for them, and what they need of earlier tasks. */
export interface ReadTask<Content> {
  readonly contents: readonly Content[];
  /** Of each content what is copied from files of earlier tasks, in order. */
  readonly copies: readonly (readonly CopiedStretch[])[];
  readonly frames: readonly (FrameAddress & { readonly blobs: readonly TakenBlob[] })[];
  readonly kept: readonly KeptBlob[];
}

export interface PlanLimits {
  /** The memory in which blobs are kept from one task to the next. Less of it means that frames are opened again. */
  readonly keptBytes: number;
  /** Tasks at work at once: what one of them has let go is used again only when all of these have ended. */
  readonly tasksAtOnce: number;
  readonly taskBytes: number;
  readonly taskContents: number;
  readonly taskFrames: number;
}

/** No task of the plan at hand. */
const BEFORE_ALL = -1;

/** Of the memory for what is kept: the rest is for what has been let go and may still be looked at, and for gaps. */
const KEPT_SHARE = 7 / 8;

function comparePlaces(a: BlobPlace, b: BlobPlace): number {
  return a.packId === b.packId ? a.frame - b.frame || a.blobOffset - b.blobOffset : a.packId < b.packId ? -1 : 1;
}

function lastPlace(content: PlacedContent): BlobPlace | undefined {
  return content.places.reduce<BlobPlace | undefined>((last, place) => (last && comparePlaces(last, place) > 0 ? last : place), undefined);
}

/**
 * Contents in the order in which the last of their blobs is in the packs. Going over the packs in
 * order, each content is complete at its turn, and only what is shared has to be kept in between.
 */
export function inPackOrder<Content extends PlacedContent>(contents: readonly Content[]): Content[] {
  return contents
    .map((content) => ({ content, last: lastPlace(content) }))
    .toSorted((a, b) => (a.last && b.last ? comparePlaces(a.last, b.last) : Number(a.last !== undefined) - Number(b.last !== undefined)))
    .map(({ content }) => content);
}

/**
 * Which contents of a run use each blob, the next one last. What can be copied by then from a file that
 * was written long enough before uses none.
 */
function usesOf(contents: readonly PlacedContent[], written: WrittenStretches, farBytes: number) {
  const uses = new Map<string, number[]>();
  const writtenBefore = new Map<string, number>();
  let bytes = 0;
  for (const [at, { pieces, target, sizeBytes }] of contents.entries()) {
    const copied: Stretch[] = [];
    for (const stretch of target?.stretches ?? []) {
      const since = writtenBefore.get(stretch.key);
      const isFar = since === undefined ? written.find(stretch, BEFORE_ALL) !== undefined : bytes - since >= farBytes;
      if (isFar) copied.push(stretch);
      else if (since === undefined) writtenBefore.set(stretch.key, bytes + sizeBytes);
    }
    for (const place of piecesBeside(pieces.length, copied)) {
      const [blobId] = pieces[place] as Piece;
      const known = uses.get(blobId);
      if (known) known.push(at);
      else uses.set(blobId, [at]);
    }
    bytes += sizeBytes;
  }
  for (const known of uses.values()) known.reverse();
  return {
    /** The next content after `at` that uses a blob. */
    after(blobId: string, at: number): number | undefined {
      const known = uses.get(blobId);
      while (known && (known.at(-1) ?? at + 1) <= at) known.pop();
      return known?.at(-1);
    },
  };
}

/** All blobs that the contents use, by the frame they are in. */
function blobsByFrame(contents: readonly PlacedContent[]): ReadonlyMap<string, ReadonlyMap<string, BlobPlace>> {
  const frames = new Map<string, Map<string, BlobPlace>>();
  for (const { pieces, places } of contents) {
    for (const [number, place] of places.entries()) {
      const key = frameKey(place);
      const blobs = frames.get(key) ?? new Map<string, BlobPlace>();
      frames.set(key, blobs);
      blobs.set((pieces[number] as Piece)[0], place);
    }
  }
  return frames;
}

interface Kept {
  readonly length: number;
  nextUse: number;
  /** Not known yet for what the task at hand opens. */
  keptAt?: number;
}

/** What is kept between tasks and where: what is needed last goes first, and what finds no room is not kept. */
function createKept(limits: PlanLimits) {
  const kept = new Map<string, Kept>();
  const room = createRoom(limits.keptBytes);
  const freed: { readonly task: number; readonly keptAt: number; readonly length: number }[] = [];
  const mostBytes = limits.keptBytes * KEPT_SHARE;
  let bytes = 0;

  function drop(blobId: string, task: number): void {
    const known = kept.get(blobId);
    if (!known) return;
    kept.delete(blobId);
    bytes -= known.length;
    if (known.keptAt !== undefined) freed.push({ task, keptAt: known.keptAt, length: known.length });
  }

  /** Lets go of what is needed last until the rest is within its bounds. */
  function shrink(task: number): void {
    if (bytes <= mostBytes) return;
    for (const [blobId] of [...kept].toSorted(([, a], [, b]) => b.nextUse - a.nextUse)) {
      if (bytes <= mostBytes * 0.95) return;
      drop(blobId, task);
    }
  }

  return {
    get: (blobId: string): Kept | undefined => kept.get(blobId),
    /** Tells after a task when each blob is needed next, if ever. Gives the places of those that are newly kept. */
    endTask(task: number, nextUses: ReadonlyMap<string, { readonly length: number; readonly nextUse: number | undefined }>): void {
      while ((freed[0]?.task ?? task) <= task - limits.tasksAtOnce) {
        const { keptAt, length } = freed.shift() as (typeof freed)[number];
        room.give(keptAt, length);
      }
      const fresh: string[] = [];
      for (const [blobId, { length, nextUse }] of nextUses) {
        const known = kept.get(blobId);
        if (nextUse === undefined) drop(blobId, task);
        else if (known) known.nextUse = nextUse;
        else {
          kept.set(blobId, { length, nextUse });
          bytes += length;
          fresh.push(blobId);
        }
      }
      shrink(task);
      for (const blobId of fresh) {
        const one = kept.get(blobId);
        const keptAt = one && room.take(one.length);
        if (keptAt === undefined) drop(blobId, task);
        else if (one) one.keptAt = keptAt;
      }
    },
  };
}

/**
 * The tasks of some contents. Each frame is opened once, as long as what is shared fits into `keptBytes`
 * or is in a file that was written by a task which has ended for sure.
 */
export function* planTasks<Content extends PlacedContent>(
  contents: readonly Content[],
  limits: PlanLimits,
  written: WrittenStretches,
): Generator<ReadTask<Content>, void, undefined> {
  const uses = usesOf(contents, written, limits.taskBytes * (limits.tasksAtOnce + 1));
  const frames = blobsByFrame(contents);
  const kept = createKept(limits);
  let opened = new Map<string, BlobPlace>();
  let opens = new Map<string, BlobPlace>();
  let reused = new Map<string, KeptBlob>();
  let copies: CopiedStretch[][] = [];
  let tasks = 0;
  let first = 0;
  let bytes = 0;

  function copiesFor({ target }: Content): CopiedStretch[] {
    const found: CopiedStretch[] = [];
    for (const stretch of target?.stretches ?? []) {
      const copy = written.find(stretch, tasks - limits.tasksAtOnce);
      if (copy) found.push(copy);
      else if (target) written.note(stretch, target.file, tasks);
    }
    return found;
  }

  function open(blobId: string, place: BlobPlace, at: number): void {
    const key = frameKey(place);
    opens.set(key, place);
    for (const [other, otherPlace] of frames.get(key) ?? []) {
      const isNeeded = other === blobId || (!kept.get(other) && uses.after(other, at - 1) !== undefined);
      if (isNeeded && !opened.has(other)) opened.set(other, otherPlace);
    }
  }

  function take(content: Content, at: number): void {
    bytes += content.sizeBytes;
    const copied = copiesFor(content);
    copies.push(copied);
    for (const number of piecesBeside(content.pieces.length, copied)) {
      const [blobId] = content.pieces[number] as Piece;
      if (opened.has(blobId)) continue;
      const known = kept.get(blobId);
      if (known?.keptAt === undefined) open(blobId, content.places[number] as BlobPlace, at);
      else reused.set(blobId, { blobId, keptAt: known.keptAt, length: known.length });
    }
  }

  function endTask(at: number): ReadTask<Content> {
    const nextUses = new Map([...reused].map(([blobId, { length }]) => [blobId, { length, nextUse: uses.after(blobId, at) }]));
    for (const [blobId, { blobLength }] of opened) nextUses.set(blobId, { length: blobLength, nextUse: uses.after(blobId, at) });
    kept.endTask(tasks, nextUses);
    tasks += 1;
    const taken = [...opens].map(([key, { packId, frame, frameOffset, frameLength }]) => {
      const blobs: TakenBlob[] = [];
      for (const [blobId, place] of frames.get(key) ?? []) {
        if (opened.get(blobId) !== place) continue;
        const keptAt = kept.get(blobId)?.keptAt;
        blobs.push({ blobId, offset: place.blobOffset, length: place.blobLength, ...(keptAt === undefined ? {} : { keptAt }) });
      }
      return { packId, frame, frameOffset, frameLength, blobs };
    });
    const task = { contents: contents.slice(first, at + 1), copies, frames: taken, kept: [...reused.values()] };
    [opened, opens, reused, copies, first, bytes] = [new Map(), new Map(), new Map(), [], at + 1, 0];
    return task;
  }

  for (const [at, content] of contents.entries()) {
    take(content, at);
    const isFull = bytes >= limits.taskBytes || at + 1 - first >= limits.taskContents || opens.size >= limits.taskFrames;
    if (isFull || at === contents.length - 1) yield endTask(at);
  }
  written.endPlan();
}
