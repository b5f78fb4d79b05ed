import { createSemaphore, mapConcurrent } from '@holdfast/foundation/concurrency';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import type { BlobPlace } from '../index/blob-index.ts';
import { release } from '../release.ts';
import type { ReadContent, ReadManyOptions, VaultReader, WantedContent } from '../vault.ts';
import type { AssemblyPort } from './assembly-port.ts';
import type { AssemblyContent, Assembled } from './assembly.ts';
import type { BlobReader } from './blobs.ts';
import { fetchFrames } from './fetch-frames.ts';
import { inPackOrder, inRuns, planTasks, type PlacedContent, type ReadTask } from './plan.ts';

export type ReadMany = VaultReader['readMany'];

/** Contents that are sorted together before they are read, and the pieces they may have. */
const WINDOW_ITEMS = 8_000;
const WINDOW_PIECES = 200_000;
/** Contents whose places are looked up together. */
const LOOKUP_ITEMS = 500;
/** What goes to one assembly in one call. */
const TASK_BYTES = 4 * 1024 * 1024;
const TASK_CONTENTS = 200;
const TASK_FRAMES = 16;
/** Longer contents are left to `read`. */
const WHOLE_LIMIT_BYTES = 32 * 1024 * 1024;
/** Blobs that all assemblies together keep because they are needed again. */
const KEPT_BYTES = 64 * 1024 * 1024;
const TASKS_PER_PORT = 2;

export interface ReadManyParts {
  readonly store: BlobStore;
  readonly blobs: BlobReader;
  readonly itemKeys: ItemKeyStore;
  /** Started at the first use. */
  ports(): readonly AssemblyPort[];
  /** Reads one content alone; used again for what failed, so that its error says what is wrong. */
  readOne(content: ContentRef): Promise<Buffer>;
}

interface Prepared<Key> extends WantedContent<Key>, PlacedContent, AssemblyContent {
  readonly places: readonly BlobPlace[];
}

/** The contents of a task, and the memory they lie in. */
interface Finished<Key> {
  readonly results: readonly ReadContent<Key>[];
  readonly memory: ArrayBuffer;
}

type Failed<Key> = Extract<ReadContent<Key>, { error: unknown }>;

async function readAlone<Key>(options: ReadManyParts, { key, content }: WantedContent<Key>): Promise<ReadContent<Key>> {
  try {
    return { key, content, data: await options.readOne(content) };
  } catch (error) {
    return { key, content, error };
  }
}

/** Pieces, places and keys of some contents; those that lack one are read alone, which tells why. */
async function prepare<Key>(
  options: ReadManyParts,
  wanted: readonly WantedContent<Key>[],
): Promise<{ ready: Prepared<Key>[]; told: ReadContent<Key>[] }> {
  const listed = await Promise.all(
    wanted.map(async (one): Promise<(WantedContent<Key> & AssemblyContent) | Failed<Key>> => {
      try {
        const pieces: Piece[] = [];
        for await (const piece of options.blobs.pieces(one.content)) pieces.push(piece);
        const { itemKeyId, sha256, sizeBytes } = one.content;
        const itemKey = itemKeyId === undefined ? undefined : await options.itemKeys.get(itemKeyId);
        return { ...one, sha256, sizeBytes, pieces, ...(itemKey ? { itemKey } : {}) };
      } catch (error) {
        return { ...one, error };
      }
    }),
  );
  const found = listed.filter((one) => 'pieces' in one);
  const places = await options.blobs.locate(found.flatMap(({ pieces }) => pieces.map((piece) => piece[0])));
  const ready: Prepared<Key>[] = [];
  const told: ReadContent<Key>[] = listed.filter((one) => 'error' in one);
  let at = 0;
  for (const one of found) {
    const own = places.slice(at, (at += one.pieces.length));
    const lacksKey = one.content.itemKeyId !== undefined && !one.itemKey;
    const isPlaced = own.every((place) => place !== undefined);
    if (isPlaced && !lacksKey) ready.push({ ...one, places: own });
    else told.push(await readAlone(options, one));
  }
  return { ready, told };
}

async function* windows<Key>(
  wanted: AsyncIterable<WantedContent<Key>> | Iterable<WantedContent<Key>>,
  windowItems: number,
): AsyncGenerator<WantedContent<Key>[], void, undefined> {
  let window: WantedContent<Key>[] = [];
  let pieces = 0;
  for await (const one of wanted) {
    window.push(one);
    pieces += one.content.pieces.length;
    if (window.length < windowItems && pieces < WINDOW_PIECES) continue;
    yield window;
    window = [];
    pieces = 0;
  }
  if (window.length > 0) yield window;
}

function toAssemble({ sha256, sizeBytes, pieces, itemKey }: AssemblyContent): AssemblyContent {
  return { sha256, sizeBytes, pieces, ...(itemKey ? { itemKey } : {}) };
}

function resultOf<Key>(options: ReadManyParts, one: Prepared<Key>, done: Assembled, at: number): Promise<ReadContent<Key>> {
  const placed = done.contents[at];
  if (!placed || 'failed' in placed) return readAlone(options, one);
  const { key, content } = one;
  return Promise.resolve({ key, content, data: Buffer.from(done.bytes, placed.offset, placed.length) });
}

/** Takes what comes first of several sources, each read ahead by one. Ends them all when the caller stops. */
async function* merged<Value>(sources: readonly AsyncGenerator<Value, void, undefined>[]): AsyncGenerator<Value, void, undefined> {
  type Step = { source: AsyncGenerator<Value, void, undefined>; result: IteratorResult<Value, void> };
  const next = async (source: AsyncGenerator<Value, void, undefined>): Promise<Step> => ({ source, result: await source.next() });
  const waiting = new Map(sources.map((source) => [source, next(source)]));
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done) {
        waiting.delete(source);
        continue;
      }
      waiting.set(source, next(source));
      yield result.value;
    }
  } finally {
    await Promise.allSettled(waiting.values());
    await Promise.allSettled(sources.map((source) => source.return()));
  }
}

/** `readMany` of a reader: whole contents in the order of the packs, put together by the assemblies. */
export function createReadMany(options: ReadManyParts): ReadMany {
  let lastRun = 0;

  /** One run of contents through one assembly, task after task. The next task is fetched while one is worked on. */
  async function* readRun<Key>(
    port: AssemblyPort,
    contents: readonly Prepared<Key>[],
    settings: { readonly keptBytes: number; readonly signal: AbortSignal | undefined },
  ): AsyncGenerator<Finished<Key>, void, undefined> {
    const { signal, keptBytes } = settings;
    lastRun += 1;
    const runId = lastRun;
    const turns = createSemaphore(1);

    async function runTask(task: ReadTask<Prepared<Key>>): Promise<Finished<Key>> {
      const turn = turns.acquire();
      const fetched = fetchFrames(options.store, task.frames, signal);
      fetched.catch(() => undefined);
      const leave = await turn;
      let running: Promise<Assembled>;
      try {
        running = port.run({ runId, contents: task.contents.map(toAssemble), ...(await fetched), dropped: task.dropped });
      } finally {
        leave();
      }
      const done = await running;
      return { results: await Promise.all(task.contents.map((one, at) => resultOf(options, one, done, at))), memory: done.bytes };
    }

    const tasks = planTasks(contents, { keptBytes, taskBytes: TASK_BYTES, taskContents: TASK_CONTENTS, taskFrames: TASK_FRAMES });
    try {
      for await (const finished of mapConcurrent(tasks, TASKS_PER_PORT, runTask)) {
        yield finished;
        signal?.throwIfAborted();
      }
    } finally {
      await port.endRun(runId);
    }
  }

  async function* readAllOf<Key>(
    wanted: AsyncIterable<WantedContent<Key>> | Iterable<WantedContent<Key>>,
    settings: ReadManyOptions,
  ): AsyncGenerator<ReadContent<Key>, void, undefined> {
    const { limitBytes = WHOLE_LIMIT_BYTES, windowItems = WINDOW_ITEMS, isPassing = false, signal } = settings;
    const ports = options.ports();
    for await (const window of windows(wanted, windowItems)) {
      const ready: Prepared<Key>[] = [];
      for (let at = 0; at < window.length; at += LOOKUP_ITEMS) {
        signal?.throwIfAborted();
        const group = window.slice(at, at + LOOKUP_ITEMS);
        for (const { key, content } of group) if (content.sizeBytes > limitBytes) yield { key, content, tooLong: true };
        const prepared = await prepare(
          options,
          group.filter(({ content }) => content.sizeBytes <= limitBytes),
        );
        yield* prepared.told;
        ready.push(...prepared.ready);
      }
      const runs = inRuns(inPackOrder(ready), ports.length);
      const keptBytes = KEPT_BYTES / ports.length;
      const sources = runs.map((run, at) => readRun(ports[at] as AssemblyPort, run, { keptBytes, signal }));
      for await (const { results, memory } of merged(sources)) {
        yield* results;
        if (isPassing) release(memory);
      }
    }
  }

  return (wanted, settings = {}) => readAllOf(wanted, settings);
}
