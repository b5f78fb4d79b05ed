import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef, Piece } from '../chunk/content-ref.ts';
import type { ItemKeyStore } from '../crypto/item-keys.ts';
import { packName } from '../pack/pack.ts';
import type { ReadContent, VaultReader, WantedContent } from '../vault.ts';
import type { AssemblyPort } from './assembly-port.ts';
import type { AssemblyContent, GivenFrame } from './assembly.ts';
import type { BlobReader } from './blobs.ts';
import type { FrameAddress } from './frame-cache.ts';

export type ReadMany = VaultReader['readMany'];

/** Contents that are sorted together before they are read. */
const WINDOW_ITEMS = 2000;
const WINDOW_BYTES = 64 * 1024 * 1024;
/** Contents that go to one assembly in one call. */
const TASK_BYTES = 4 * 1024 * 1024;
const TASK_CONTENTS = 200;
/** Longer contents are left to `read`. */
const WHOLE_LIMIT_BYTES = 32 * 1024 * 1024;
/** Frames with less between them are read together. */
const GAP_BYTES = 64 * 1024;
const SPAN_BYTES = 8 * 1024 * 1024;
const TASKS_PER_PORT = 2;

export interface ReadManyOptions {
  readonly store: BlobStore;
  readonly blobs: BlobReader;
  readonly itemKeys: ItemKeyStore;
  /** Started at the first use. */
  ports(): readonly AssemblyPort[];
  /** Reads one content alone; used again for what failed, so that its error says what is wrong. */
  readOne(content: ContentRef): Promise<Buffer>;
}

interface Prepared<Key> extends WantedContent<Key> {
  readonly task: AssemblyContent;
}

/** Reads sealed frames, neighbours together. */
async function fetchFrames(
  store: BlobStore,
  addresses: readonly FrameAddress[],
  signal?: AbortSignal,
): Promise<{ frames: GivenFrame[]; buffers: ArrayBuffer[] }> {
  const sorted = addresses.toSorted((a, b) => (a.packId === b.packId ? a.frameOffset - b.frameOffset : a.packId < b.packId ? -1 : 1));
  const spans: { packId: string; start: number; end: number; frames: FrameAddress[] }[] = [];
  for (const address of sorted) {
    const span = spans.at(-1);
    const end = address.frameOffset + address.frameLength;
    if (span && span.packId === address.packId && address.frameOffset - span.end <= GAP_BYTES && end - span.start <= SPAN_BYTES) {
      span.end = end;
      span.frames.push(address);
    } else {
      spans.push({ packId: address.packId, start: address.frameOffset, end, frames: [address] });
    }
  }
  const read = await Promise.all(
    spans.map(async (span) => {
      const data = await store
        .get(packName(span.packId), { offset: span.start, length: span.end - span.start }, signal)
        .catch(() => Buffer.alloc(0));
      const isOwn = data.byteLength > 0 && data.byteLength === data.buffer.byteLength && data.buffer instanceof ArrayBuffer;
      return { span, buffer: isOwn ? data.buffer : new Uint8Array(data).buffer };
    }),
  );
  const frames = read.flatMap(({ span, buffer }, at) =>
    span.frames
      .map((frame) => ({ ...frame, buffer: at, offset: frame.frameOffset - span.start }))
      .filter((frame) => frame.offset + frame.frameLength <= buffer.byteLength),
  );
  return { frames, buffers: read.map(({ buffer }) => buffer) };
}

async function prepare<Key>(
  options: ReadManyOptions,
  wanted: readonly WantedContent<Key>[],
): Promise<(Prepared<Key> | ReadContent<Key>)[]> {
  const listed = await Promise.all(
    wanted.map(async (one) => {
      try {
        const pieces: Piece[] = [];
        for await (const piece of options.blobs.pieces(one.content)) pieces.push(piece);
        const { itemKeyId } = one.content;
        const itemKey = itemKeyId === undefined ? undefined : await options.itemKeys.get(itemKeyId);
        if (itemKeyId !== undefined && !itemKey) return { ...one, error: await errorOf(options, one.content) };
        const places = await options.blobs.find(pieces.map((piece) => piece[0]));
        const { sha256, sizeBytes } = one.content;
        return { ...one, task: { sha256, sizeBytes, pieces, places, ...(itemKey ? { itemKey } : {}) } };
      } catch (error) {
        return { ...one, error };
      }
    }),
  );
  return listed;
}

async function errorOf(options: ReadManyOptions, content: ContentRef): Promise<unknown> {
  try {
    await options.readOne(content);
  } catch (error) {
    return error;
  }
  return undefined;
}

function placeOrder<Key>(a: Prepared<Key>, b: Prepared<Key>): number {
  const [first] = a.task.places;
  const [second] = b.task.places;
  if (!first || !second) return first ? 1 : second ? -1 : 0;
  if (first.packId !== second.packId) return first.packId < second.packId ? -1 : 1;
  return first.frame - second.frame || first.blobOffset - second.blobOffset;
}

function* tasksOf<Key>(prepared: readonly Prepared<Key>[]): Generator<Prepared<Key>[], void, undefined> {
  let task: Prepared<Key>[] = [];
  let bytes = 0;
  for (const one of prepared) {
    task.push(one);
    bytes += one.content.sizeBytes;
    if (bytes < TASK_BYTES && task.length < TASK_CONTENTS) continue;
    yield task;
    task = [];
    bytes = 0;
  }
  if (task.length > 0) yield task;
}

async function* windows<Key>(
  wanted: AsyncIterable<WantedContent<Key>> | Iterable<WantedContent<Key>>,
  windowItems: number,
): AsyncGenerator<WantedContent<Key>[], void, undefined> {
  let window: WantedContent<Key>[] = [];
  let bytes = 0;
  for await (const one of wanted) {
    window.push(one);
    bytes += one.content.sizeBytes;
    if (window.length < windowItems && bytes < WINDOW_BYTES) continue;
    yield window;
    window = [];
    bytes = 0;
  }
  if (window.length > 0) yield window;
}

/** `readMany` of a reader: whole contents in the order of the packs, put together by the assemblies. */
export function createReadMany(options: ReadManyOptions): ReadMany {
  async function runTask<Key>(port: AssemblyPort, task: readonly Prepared<Key>[], signal?: AbortSignal): Promise<ReadContent<Key>[]> {
    const contents = task.map((one) => one.task);
    const given = await fetchFrames(options.store, await port.missing(contents), signal);
    const done = await port.run(contents, given.frames, given.buffers);
    return Promise.all(
      task.map(async ({ key, content }, at): Promise<ReadContent<Key>> => {
        const placed = done.contents[at];
        if (placed && 'offset' in placed) return { key, content, data: Buffer.from(done.bytes, placed.offset, placed.length) };
        try {
          return { key, content, data: await options.readOne(content) };
        } catch (error) {
          return { key, content, error };
        }
      }),
    );
  }

  /** What of a window can't be put together at once, and the rest as tasks. */
  async function planWindow<Key>(
    window: readonly WantedContent<Key>[],
    limitBytes: number,
  ): Promise<{ told: ReadContent<Key>[]; tasks: Prepared<Key>[][] }> {
    const long = window.filter((one) => one.content.sizeBytes > limitBytes);
    const prepared = await prepare(
      options,
      window.filter((one) => one.content.sizeBytes <= limitBytes),
    );
    const failed = prepared.flatMap((one) => ('task' in one ? [] : [one]));
    const ready = prepared.filter((one) => 'task' in one).toSorted(placeOrder);
    return { told: [...long.map((one) => ({ ...one, tooLong: true as const })), ...failed], tasks: [...tasksOf(ready)] };
  }

  async function* readAllOf<Key>(
    wanted: AsyncIterable<WantedContent<Key>> | Iterable<WantedContent<Key>>,
    settings: { readonly limitBytes: number; readonly windowItems: number; readonly signal: AbortSignal | undefined },
  ): AsyncGenerator<ReadContent<Key>, void, undefined> {
    const ports = options.ports();
    const running: Promise<ReadContent<Key>[]>[] = [];
    let turn = 0;
    try {
      for await (const window of windows(wanted, settings.windowItems)) {
        settings.signal?.throwIfAborted();
        const { told, tasks } = await planWindow(window, settings.limitBytes);
        yield* told;
        for (const task of tasks) {
          while (running.length >= ports.length * TASKS_PER_PORT) yield* (await running.shift()) ?? [];
          const work = runTask(ports[turn % ports.length] as AssemblyPort, task, settings.signal);
          work.catch(() => undefined);
          running.push(work);
          turn += 1;
        }
      }
      while (running.length > 0) yield* (await running.shift()) ?? [];
    } finally {
      await Promise.allSettled(running);
    }
  }

  return (wanted, { limitBytes = WHOLE_LIMIT_BYTES, windowItems = WINDOW_ITEMS, signal } = {}) =>
    readAllOf(wanted, { limitBytes, windowItems, signal });
}
