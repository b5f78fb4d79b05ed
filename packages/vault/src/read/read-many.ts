import type { KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createSemaphore, mapConcurrent } from '@holdfast/foundation/concurrency';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import { release } from '../release.ts';
import type { ReadContent, ReadManyOptions, VaultReader, WantedContent, WantedFile, WrittenContent } from '../vault.ts';
import type { AssemblyPort } from './assembly-port.ts';
import type { AssemblyContent, AssemblyTask, Assembled } from './assembly.ts';
import type { BlobReader } from './blobs.ts';
import { fetchFrames } from './fetch-frames.ts';
import { frameKey } from './frame-cache.ts';
import { inPackOrder, planTasks, type PlacedContent, type ReadTask } from './plan.ts';
import { createSharedMemory, giveUp } from './shared-memory.ts';
import { createWrittenStretches, piecesBeside, stretchesOf, type CopiedStretch, type WrittenStretches } from './stretches.ts';

export type ReadMany = Pick<VaultReader, 'readMany' | 'writeMany'>;

/** Contents that are sorted together before they are read, and the pieces they may have. */
const WINDOW_ITEMS = 10_000;
const WINDOW_PIECES = 200_000;
/** The first of them are read while the others are looked up. */
const FIRST_WINDOW_ITEMS = 1_000;
/** Frames of which a window needs less are left to the next one, which may need more of them. */
const LEAST_OF_FRAME_BYTES = 128 * 1024;
/** Contents whose places are looked up together. */
const LOOKUP_ITEMS = 200;
/** What goes to one assembly in one call. */
const TASK_BYTES = 2 * 1024 * 1024;
const TASK_CONTENTS = 100;
const TASK_FRAMES = 8;
/** Longer contents are left to `read`. */
const WHOLE_LIMIT_BYTES = 32 * 1024 * 1024;
/** Memory for blobs that are needed again, shared by all assemblies. */
const KEPT_BYTES = 32 * 1024 * 1024;
const TASKS_PER_PORT = 2;

export interface ReadManyParts {
  readonly store: BlobStore;
  readonly blobs: BlobReader;
  readonly itemKeys: ItemKeyStore;
  /** Started at the first use. */
  ports(): readonly AssemblyPort[];
  /** Reads one content alone; used again for what failed, so that its error says what is wrong. */
  readOne(content: ContentRef): Promise<Buffer>;
  /** The same for one of any length. */
  stream(content: ContentRef): AsyncIterable<Uint8Array>;
}

type Wanted<Key> = WantedContent<Key> & Partial<WantedFile<Key>>;
type Wants<Key> = AsyncIterable<Wanted<Key>> | Iterable<Wanted<Key>>;
type Found<Key> = ReadContent<Key> | (WantedContent<Key> & { readonly isWritten: true });

/** A content with its pieces and the key of its own. */
type Listed<Key> = Wanted<Key> & Omit<AssemblyContent, 'copies'> & { readonly itemKey?: KeyObject };
type Prepared<Key> = Listed<Key> & PlacedContent;

type Failed<Key> = Extract<ReadContent<Key>, { error: unknown }>;

/** Contents that are sorted together. Those that lack a piece or their key are read alone, which tells why. */
interface Window<Key> {
  readonly ready: Prepared<Key>[];
  readonly alone: Wanted<Key>[];
  readonly told: Found<Key>[];
}

/** The contents of a task, and the memory they lie in. */
interface Finished<Key> {
  readonly results: readonly Found<Key>[];
  readonly memory: ArrayBuffer;
}

/** A file that is not whole in the end is taken away. */
async function writeAlone(source: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  try {
    await pipeline(source, createWriteStream(file));
  } catch (error) {
    await unlink(file).catch(() => undefined);
    throw error;
  }
}

async function readAlone<Key>(options: ReadManyParts, { key, content, file }: Wanted<Key>): Promise<Found<Key>> {
  try {
    if (file !== undefined) {
      await writeAlone(options.stream(content), file);
      return { key, content, isWritten: true };
    }
    return { key, content, data: await options.readOne(content) };
  } catch (error) {
    return { key, content, error };
  }
}

/** All pieces of a content. Nearly all contents hold theirs themselves. */
async function piecesOf({ blobs }: ReadManyParts, content: ContentRef): Promise<readonly Piece[]> {
  if (content.depth === 0) return content.pieces;
  const pieces: Piece[] = [];
  for await (const piece of blobs.pieces(content)) pieces.push(piece);
  return pieces;
}

async function listed<Key>(options: ReadManyParts, one: Wanted<Key>): Promise<Listed<Key> | Failed<Key>> {
  try {
    const { itemKeyId, sha256, sizeBytes } = one.content;
    const pieces = await piecesOf(options, one.content);
    const itemKey = itemKeyId === undefined ? undefined : await options.itemKeys.get(itemKeyId);
    return { ...one, sha256, sizeBytes, pieces, ...(itemKey ? { itemKey } : {}) };
  } catch (error) {
    return { ...one, error };
  }
}

/** What is sealed with a key of its own lies in no other content. */
function targetOf<Key>({ file, pieces, itemKey }: Listed<Key>): Pick<PlacedContent, 'target'> {
  return file === undefined || itemKey ? {} : { target: { file, stretches: stretchesOf(pieces) } };
}

/** Adds contents to a window, with their pieces, places and keys. Of a blob that many share there is one place. */
async function addTo<Key>(
  options: ReadManyParts,
  window: Window<Key>,
  { wanted, known }: { readonly wanted: readonly Wanted<Key>[]; readonly known: Map<string, BlobPlace> },
): Promise<void> {
  const found: Listed<Key>[] = [];
  for (const one of await Promise.all(wanted.map((content) => listed(options, content)))) {
    if ('pieces' in one) found.push(one);
    else window.told.push(one);
  }
  const asked = new Set(found.flatMap(({ pieces }) => pieces.map((piece) => piece[0]).filter((blobId) => !known.has(blobId))));
  const places = await options.blobs.locate([...asked]);
  for (const [at, blobId] of [...asked].entries()) if (places[at]) known.set(blobId, places[at]);
  for (const one of found) {
    const own = one.pieces.map((piece) => known.get(piece[0]));
    const lacksKey = one.content.itemKeyId !== undefined && !one.itemKey;
    if (own.every((place) => place !== undefined) && !lacksKey) window.ready.push({ ...one, places: own, ...targetOf(one) });
    else window.alone.push(one);
  }
}

function placesOf(contents: readonly Prepared<unknown>[]): Map<string, BlobPlace> {
  return new Map(contents.flatMap(({ pieces, places }) => places.map((place, at) => [(pieces[at] as Piece)[0], place] as const)));
}

/** Splits contents into those whose frames are worth opening for them now, and those that wait for others which need the same. */
function worthOpening<Key>(contents: readonly Prepared<Key>[]): { now: Prepared<Key>[]; later: Prepared<Key>[] } {
  const neededBytes = new Map<string, number>();
  for (const place of new Set(contents.flatMap(({ places }) => places))) {
    const key = frameKey(place);
    neededBytes.set(key, (neededBytes.get(key) ?? 0) + place.blobLength);
  }
  const { now = [], later = [] } = Object.groupBy(contents, ({ places }) =>
    places.some((place) => (neededBytes.get(frameKey(place)) ?? 0) < LEAST_OF_FRAME_BYTES) ? 'later' : 'now',
  );
  return { now, later };
}

async function* windows<Key>(
  options: ReadManyParts,
  source: Wants<Key>,
  { limitBytes = WHOLE_LIMIT_BYTES, windowItems = WINDOW_ITEMS, signal }: ReadManyOptions,
): AsyncGenerator<Window<Key>, void, undefined> {
  const empty = (): Window<Key> => ({ ready: [], alone: [], told: [] });
  let window = empty();
  let wanted: Wanted<Key>[] = [];
  let known = new Map<string, BlobPlace>();
  let mostItems = Math.min(FIRST_WINDOW_ITEMS, windowItems);
  let items = 0;
  let pieces = 0;
  for await (const one of source) {
    signal?.throwIfAborted();
    items += 1;
    pieces += one.content.pieces.length;
    if (one.content.sizeBytes <= limitBytes) wanted.push(one);
    else if (one.file !== undefined) window.alone.push(one);
    else window.told.push({ key: one.key, content: one.content, tooLong: true });
    const isFull = items >= mostItems || pieces >= WINDOW_PIECES;
    if (!isFull && wanted.length < LOOKUP_ITEMS) continue;
    await addTo(options, window, { wanted, known });
    wanted = [];
    if (!isFull) continue;
    const { now, later } = worthOpening(window.ready);
    yield { ...window, ready: now };
    [window, known, mostItems, items, pieces] = [{ ...empty(), ready: later }, placesOf(later), windowItems, later.length, 0];
  }
  await addTo(options, window, { wanted, known });
  yield window;
}

/** The next one is made while one is used. */
async function* oneAhead<Value>(source: AsyncGenerator<Value, void, undefined>): AsyncGenerator<Value, void, undefined> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await Promise.allSettled([next]);
    await source.return();
  }
}

/** The pieces that are not copied, and before which of them each copy comes. */
function partsOf(pieces: readonly Piece[], copies: readonly CopiedStretch[]): Pick<AssemblyContent, 'pieces' | 'copies'> {
  if (copies.length === 0) return { pieces, copies: [] };
  let covered = 0;
  const placed = copies.map(({ firstPiece, pieceCount, file, fileOffset, length }) => {
    covered += pieceCount;
    return { before: firstPiece + pieceCount - covered, file, fileOffset, length };
  });
  return { pieces: piecesBeside(pieces.length, copies).map((place) => pieces[place] as Piece), copies: placed };
}

function toAssemble<Key>({ contents, copies }: ReadTask<Prepared<Key>>): Pick<AssemblyTask, 'contents' | 'itemKeys'> {
  return {
    contents: contents.map(({ sha256, sizeBytes, pieces, file }, at) => ({
      sha256,
      sizeBytes,
      ...partsOf(pieces, copies[at] ?? []),
      ...(file === undefined ? {} : { file }),
    })),
    itemKeys: new Map(contents.flatMap(({ itemKey }, at) => (itemKey ? [[at, itemKey] as const] : []))),
  };
}

async function resultOf<Key>(options: ReadManyParts, one: Prepared<Key>, done: Assembled, at: number): Promise<Found<Key>> {
  const placed = done.contents[at];
  const { key, content } = one;
  if (placed === 'written') return { key, content, isWritten: true };
  if (!placed || 'failed' in placed) return readAlone(options, one);
  return { key, content, data: Buffer.from(done.bytes, placed.offset, placed.length) };
}

/** `readMany` and `writeMany` of a reader: whole contents in the order of the packs, put together by the assemblies. */
export function createReadMany(options: ReadManyParts): ReadMany {
  const spareMemory: SharedArrayBuffer[] = [];

  /** One window of contents, task after task over all assemblies in turn. The next tasks are fetched while some are worked on. */
  async function* readWindow<Key>(
    contents: readonly Prepared<Key>[],
    { memory, written }: { readonly memory: SharedArrayBuffer; readonly written: WrittenStretches },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Finished<Key>, void, undefined> {
    const ports = options.ports();
    const shared = createSharedMemory(memory);
    const turns = createSemaphore(1);
    let given = 0;

    async function runTask(task: ReadTask<Prepared<Key>>): Promise<Finished<Key>> {
      const number = given++;
      const turn = turns.acquire();
      const fetched = fetchFrames(options.store, task.frames, signal);
      fetched.catch(() => undefined);
      const leave = await turn;
      let running: Promise<Assembled>;
      try {
        const port = ports[number % ports.length] as AssemblyPort;
        running = port.run({ shared, number, ...toAssemble(task), ...(await fetched), kept: task.kept });
        running.catch(() => giveUp(shared));
      } catch (error) {
        giveUp(shared);
        throw error;
      } finally {
        leave();
      }
      const done = await running;
      return { results: await Promise.all(task.contents.map((one, at) => resultOf(options, one, done, at))), memory: done.bytes };
    }

    const limits = { keptBytes: memory.byteLength, tasksAtOnce: ports.length, taskBytes: TASK_BYTES, taskContents: TASK_CONTENTS };
    const tasks = planTasks(inPackOrder(contents), { ...limits, taskFrames: TASK_FRAMES }, written);
    for await (const finished of mapConcurrent(tasks, TASKS_PER_PORT * ports.length, runTask)) {
      yield finished;
      signal?.throwIfAborted();
    }
  }

  async function* readAllOf<Key>(wanted: Wants<Key>, settings: ReadManyOptions): AsyncGenerator<Found<Key>, void, undefined> {
    const memory = spareMemory.pop() ?? new SharedArrayBuffer(KEPT_BYTES);
    const written = createWrittenStretches();
    try {
      for await (const { ready, alone, told } of oneAhead(windows(options, wanted, settings))) {
        yield* told;
        for (const one of alone) yield await readAlone(options, one);
        for await (const finished of readWindow(ready, { memory, written }, settings.signal)) {
          yield* finished.results;
          if (settings.isPassing) release(finished.memory);
        }
      }
    } finally {
      spareMemory.push(memory);
    }
  }

  return {
    async *readMany(wanted, settings = {}) {
      for await (const found of readAllOf(wanted, settings)) if (!('isWritten' in found)) yield found;
    },
    async *writeMany<Key>(
      wanted: AsyncIterable<WantedFile<Key>> | Iterable<WantedFile<Key>>,
      settings: Pick<ReadManyOptions, 'signal'> = {},
    ) {
      for await (const found of readAllOf(wanted, settings)) {
        const { key, content } = found;
        const written: WrittenContent<Key> = 'error' in found ? { key, content, error: found.error } : { key, content };
        yield written;
      }
    },
  };
}
