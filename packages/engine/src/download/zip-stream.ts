import { Readable } from 'node:stream';
import { mapConcurrent } from '@holdfast/foundation/concurrency';
import { collect, type Bytes } from '@holdfast/foundation/streams';
import { ZipFile } from 'yazl';

/** A file of an archive. `open` is called when its turn has come, or ahead of it. */
export interface ZipEntry {
  readonly path: string;
  readonly modifiedAt: Date | undefined;
  /** How long it is, where that is known. */
  readonly sizeBytes?: number;
  open(): Bytes;
}

/** Files up to this length may be read ahead. */
const SHORT_BYTES = 1024 * 1024;

/** What the dates of an archive can say. Others would not only be wrong: the archive could not be written. */
const EARLIEST_MS = Date.UTC(1980, 0, 1);
const LATEST_MS = Date.UTC(2038, 0, 19);

/** The fastest one: text is packed five times as fast as by the usual level and takes a tenth more, and what is packed already gains nothing by any. */
const LEVEL = 1;

function optionsOf({ modifiedAt }: ZipEntry): { readonly compressionLevel: number; readonly mtime?: Date } {
  const ms = modifiedAt?.getTime() ?? Number.NaN;
  if (Number.isNaN(ms)) return { compressionLevel: LEVEL };
  return { compressionLevel: LEVEL, mtime: new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS)) };
}

/** The bytes of an entry: of a short one they are in memory when its turn comes. */
async function opened(entry: ZipEntry): Promise<{ readonly entry: ZipEntry; readonly source: () => Readable }> {
  if (entry.sizeBytes === undefined || entry.sizeBytes > SHORT_BYTES) return { entry, source: () => Readable.from(entry.open()) };
  const whole = await collect(entry.open(), SHORT_BYTES);
  return { entry, source: () => Readable.from(whole.byteLength === 0 ? [] : [whole]) };
}

/** Resolves when all of a stream was read, or when it was given up. */
function passed(source: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    source.once('end', resolve).once('close', resolve).once('error', reject);
  });
}

/**
 * Streams a zip: one entry at a time is packed, and the next is taken when the one before has been read. Where `ahead` says so,
 * so many are taken together, and those of them that are known to be short are read while the first is packed: stores answer many
 * questions as fast as one. That is for entries that know nothing of each other: a list of what was read before is made too early.
 * Whoever leaves before the end closes the entry that is open and the list of those to come.
 */
export async function* zipStream(entries: AsyncIterable<ZipEntry>, ahead = 1): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const state: { open: Readable | undefined; isLeft: boolean } = { open: undefined, isLeft: false };
  const feeding = (async () => {
    for await (const { entry, source: open } of mapConcurrent(entries, ahead, opened)) {
      if (state.isLeft) return;
      const source = open();
      state.open = source;
      const whole = passed(source);
      zip.addReadStream(source, entry.path, optionsOf(entry));
      await whole;
      if (state.isLeft) return;
    }
    zip.end();
  })();
  feeding.catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const part of output) yield part as Uint8Array;
  } finally {
    state.isLeft = true;
    state.open?.destroy();
    await feeding.catch(() => undefined);
  }
  await feeding;
}
