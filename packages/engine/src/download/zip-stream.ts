import { Readable } from 'node:stream';
import type { Bytes } from '@holdfast/foundation/streams';
import { ZipFile } from 'yazl';

/** A file of an archive. `open` is called when its turn has come. */
export interface ZipEntry {
  readonly path: string;
  readonly modifiedAt: Date | undefined;
  open(): Bytes;
}

async function addOne(zip: ZipFile, entry: ZipEntry): Promise<void> {
  const source = Readable.from(entry.open());
  const done = new Promise<void>((resolve, reject) => {
    source.once('end', resolve).once('error', reject);
  });
  zip.addReadStream(source, entry.path, { ...(entry.modifiedAt ? { mtime: entry.modifiedAt } : {}), compress: true });
  await done;
}

/** Streams a zip: one entry at a time is open, and the next is taken when the one before has been read. */
export async function* zipStream(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const feeding = (async () => {
    for await (const entry of entries) await addOne(zip, entry);
    zip.end();
  })();
  feeding.catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  for await (const part of output) yield part as Uint8Array;
  await feeding;
}
