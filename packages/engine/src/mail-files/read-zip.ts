import { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AppError } from '@holdfast/foundation/errors';
import { bytesFrom, type MailFile } from './mail-file.ts';

/** A file in a zip. */
export interface ZipEntry {
  readonly name: string;
  readonly sizeBytes: number;
  /** Where its data is in the zip. */
  readonly offset: number;
  readonly isEncrypted: boolean;
  /** Whether it unpacks to so much more than it is that it can only be meant to do harm. */
  readonly isBomb: boolean;
  stream(): AsyncIterable<Buffer>;
}

/** More files than this in one zip are not listed. */
const MOST_ENTRIES = 2_000_000;
const BOMB_BYTES = 64 * 1024 * 1024;
const BOMB_RATIO = 200;

class FileReader extends yauzl.RandomAccessReader {
  readonly #file: MailFile;
  constructor(file: MailFile) {
    super();
    this.#file = file;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    const file = this.#file;
    return Readable.from(bytesFrom({ sizeBytes: end, read: (offset, length) => file.read(offset, length) }, start));
  }
}

const damaged = (cause: unknown): AppError =>
  new AppError('import.damaged', { message: `A zip cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` });

function open(file: MailFile): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  const options = { lazyEntries: true, decodeStrings: true, validateEntrySizes: true, autoClose: false };
  yauzl.fromRandomAccessReader(new FileReader(file), file.sizeBytes, options, (error, zip) =>
    error ? reject(damaged(error)) : resolve(zip),
  );
  return promise;
}

/** The next entry; undefined after the last. */
function next(zip: ZipFile): Promise<Entry | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Entry | undefined>();
  const settle = (finish: () => void) => (): void => {
    zip.removeAllListeners('entry').removeAllListeners('end').removeAllListeners('error');
    finish();
  };
  zip.once('entry', (entry: Entry) => settle(() => resolve(entry))());
  zip.once(
    'end',
    settle(() => resolve(undefined)),
  );
  zip.once('error', (error: Error) => settle(() => reject(damaged(error)))());
  zip.readEntry();
  return promise;
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void, undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  try {
    for await (const chunk of await promise) yield chunk as Buffer;
  } catch (error) {
    throw damaged(error);
  }
}

/** The files of a zip in their order, folders left out. `import.damaged` where it cannot be read. */
export async function* readZip(file: MailFile): AsyncGenerator<ZipEntry, void, undefined> {
  const zip = await open(file);
  try {
    for (let count = 0, entry = await next(zip); entry !== undefined; entry = await next(zip), count += 1) {
      if (count >= MOST_ENTRIES) throw damaged('it holds too many files');
      const current = entry;
      if (current.fileName.endsWith('/')) continue;
      const { uncompressedSize: sizeBytes, compressedSize } = current;
      yield {
        name: current.fileName,
        sizeBytes,
        offset: current.relativeOffsetOfLocalHeader,
        isEncrypted: current.isEncrypted(),
        isBomb: sizeBytes > BOMB_BYTES && sizeBytes > BOMB_RATIO * compressedSize,
        stream: () => contentOf(zip, current),
      };
    }
  } finally {
    zip.close();
  }
}
