import type { KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createSemaphore, mapConcurrent } from '@holdfast/foundation/concurrency';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import type { VaultReader, WantedFile, WrittenContent } from '../content/content.ts';
import type { AssemblyPort } from './assembly-port.ts';
import type { AssemblyContent, AssemblyTask } from './assembly.ts';
import type { BlobReader } from './blobs.ts';
import { fetchFrames } from './fetch-frames.ts';
import { frameKey } from './frame-cache.ts';
import { inPackOrder, planTasks, type PlacedContent, type ReadTask } from './plan.ts';
import { createSharedMemory, giveUp } from './shared-memory.ts';
import { createWrittenStretches, piecesBeside, stretchesOf, type CopiedStretch, type WrittenStretches } from './stretches.ts';

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
/** Longer contents are written alone, as a stream. */
const WHOLE_LIMIT_BYTES = 32 * 1024 * 1024;
/** Memory for blobs that are needed again, shared by all assemblies. */
const KEPT_BYTES = 32 * 1024 * 1024;
const TASKS_PER_PORT = 2;

export interface WriteManyParts {
  readonly store: BlobStore;
  readonly blobs: BlobReader;
  readonly itemKeys: ItemKeyStore;
  /** Started at the first use. */
  ports(): readonly AssemblyPort[];
  /** Reads one content of any length alone; used again for what failed, so that its error says what is wrong. */
  stream(content: ContentRef): AsyncIterable<Uint8Array>;
}

type Wants<Key> = AsyncIterable<WantedFile<Key>> | Iterable<WantedFile<Key>>;

/** A content with its pieces and the key of its own. */
type Listed<Key> = WantedFile<Key> & Omit<AssemblyContent, 'copies'> & { readonly itemKey?: KeyObject };
type Prepared<Key> = Listed<Key> & PlacedContent;

/** Contents that are sorted together. Those that lack a piece or their key are read alone, which tells why. */
interface Window<Key> {
  readonly ready: Prepared<Key>[];
  readonly alone: WantedFile<Key>[];
  readonly told: WrittenContent<Key>[];
}

/** A file that is not whole in the end is taken away. */
async function writeAlone<Key>(options: WriteManyParts, { key, content, file }: WantedFile<Key>): Promise<WrittenContent<Key>> {
  try {
    await pipeline(options.stream(content), createWriteStream(file));
    return { key, content };
  } catch (error) {
    await unlink(file).catch(() => undefined);
    return { key, content, error };
  }
}

/** All pieces of a content. Nearly all contents hold theirs themselves. */
async function piecesOf({ blobs }: WriteManyParts, content: ContentRef): Promise<readonly Piece[]> {
  if (content.depth === 0) return content.pieces;
  const pieces: Piece[] = [];
  for await (const piece of blobs.pieces(content)) pieces.push(piece);
  return pieces;
}

async function listed<Key>(options: WriteManyParts, one: WantedFile<Key>): Promise<Listed<Key> | WrittenContent<Key>> {
  try {
    const { itemKeyId, sha256, sizeBytes } = one.content;
    const pieces = await piecesOf(options, one.content);
    const itemKey = itemKeyId === undefined ? undefined : await options.itemKeys.get(itemKeyId);
    return { ...one, sha256, sizeBytes, pieces, ...(itemKey ? { itemKey } : {}) };
  } catch (error) {
    return { key: one.key, content: one.content, error };
  }
}

/** What is sealed with a key of its own is in no other content. */
function targetOf<Key>({ file, pieces, itemKey }: Listed<Key>): Pick<PlacedContent, 'target'> {
  return itemKey ? {} : { target: { file, stretches: stretchesOf(pieces) } };
}

/** Adds contents to a window, with their pieces, places and keys. Of a blob that many share there is one place. */
async function addTo<Key>(
  options: WriteManyParts,
  window: Window<Key>,
  { wanted, known }: { readonly wanted: readonly WantedFile<Key>[]; readonly known: Map<string, BlobPlace> },
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
  options: WriteManyParts,
  source: Wants<Key>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Window<Key>, void, undefined> {
  const empty = (): Window<Key> => ({ ready: [], alone: [], told: [] });
  let window = empty();
  let wanted: WantedFile<Key>[] = [];
  let known = new Map<string, BlobPlace>();
  let mostItems = FIRST_WINDOW_ITEMS;
  let items = 0;
  let pieces = 0;
  for await (const one of source) {
    signal?.throwIfAborted();
    items += 1;
    pieces += one.content.pieces.length;
    if (one.content.sizeBytes <= WHOLE_LIMIT_BYTES) wanted.push(one);
    else window.alone.push(one);
    const isFull = items >= mostItems || pieces >= WINDOW_PIECES;
    if (!isFull && wanted.length < LOOKUP_ITEMS) continue;
    await addTo(options, window, { wanted, known });
    wanted = [];
    if (!isFull) continue;
    const { now, later } = worthOpening(window.ready);
    yield { ...window, ready: now };
    [window, known, mostItems, items, pieces] = [{ ...empty(), ready: later }, placesOf(later), WINDOW_ITEMS, later.length, 0];
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
      file,
    })),
    itemKeys: new Map(contents.flatMap(({ itemKey }, at) => (itemKey ? [[at, itemKey] as const] : []))),
  };
}

/** `writeMany` of a reader: whole contents in the order of the packs, put together and written by the assemblies. */
export function createWriteMany(options: WriteManyParts): Pick<VaultReader, 'writeMany'> {
  const spareMemory: SharedArrayBuffer[] = [];

  /** One window of contents, task after task over all assemblies in turn. The next tasks are fetched while some are worked on. */
  async function* writeWindow<Key>(
    contents: readonly Prepared<Key>[],
    { memory, written }: { readonly memory: SharedArrayBuffer; readonly written: WrittenStretches },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WrittenContent<Key>, void, undefined> {
    const ports = options.ports();
    const shared = createSharedMemory(memory);
    const turns = createSemaphore(1);
    let given = 0;

    async function runTask(task: ReadTask<Prepared<Key>>): Promise<readonly WrittenContent<Key>[]> {
      const number = given++;
      const turn = turns.acquire();
      const fetched = fetchFrames(options.store, task.frames, signal);
      fetched.catch(() => undefined);
      const leave = await turn;
      let running: Promise<readonly number[]>;
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
      const failed = new Set(await running);
      return Promise.all(
        task.contents.map(async (one, at) => (failed.has(at) ? writeAlone(options, one) : { key: one.key, content: one.content })),
      );
    }

    const limits = { keptBytes: memory.byteLength, tasksAtOnce: ports.length, taskBytes: TASK_BYTES, taskContents: TASK_CONTENTS };
    const tasks = planTasks(inPackOrder(contents), { ...limits, taskFrames: TASK_FRAMES }, written);
    for await (const finished of mapConcurrent(tasks, TASKS_PER_PORT * ports.length, runTask)) {
      yield* finished;
      signal?.throwIfAborted();
    }
  }

  return {
    async *writeMany(wanted, { signal } = {}) {
      const memory = spareMemory.pop() ?? new SharedArrayBuffer(KEPT_BYTES);
      const written = createWrittenStretches();
      try {
        for await (const { ready, alone, told } of oneAhead(windows(options, wanted, signal))) {
          yield* told;
          for (const one of alone) yield await writeAlone(options, one);
          yield* writeWindow(ready, { memory, written }, signal);
        }
      } finally {
        spareMemory.push(memory);
      }
    },
  };
}
