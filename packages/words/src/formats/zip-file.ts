import yauzl, { type Entry, type ZipFile as Opened } from 'yauzl';
import { PartError } from '../part/document-part.ts';
import { MOST_PARTS } from '../part/limits.ts';
import type { TextSink } from '../part/text-sink.ts';

/** The files of a zip, by name. */
export interface ZipFile {
  readonly names: readonly string[];
  /** The bytes of a file; undefined when there is none of that name. */
  read(name: string): Promise<Uint8Array | undefined>;
  isEncrypted(name: string): boolean;
}

function open(bytes: Uint8Array): Promise<Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<Opened>();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  yauzl.fromBuffer(buffer, { lazyEntries: true, decodeStrings: true, validateEntrySizes: true }, (error, zip) => {
    if (error) reject(new PartError('failed', `the zip cannot be read: ${error.message}`));
    else resolve(zip);
  });
  return promise;
}

function entriesOf(zip: Opened): Promise<Map<string, Entry>> {
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Entry>>();
  const entries = new Map<string, Entry>();
  zip.on('entry', (entry: Entry) => {
    entries.set(entry.fileName, entry);
    if (entries.size > MOST_PARTS) reject(new PartError('tooLarge', 'it holds too many files'));
    else zip.readEntry();
  });
  zip.on('end', () => resolve(entries));
  zip.on('error', (error: Error) => reject(new PartError('failed', `the zip cannot be read: ${error.message}`)));
  zip.readEntry();
  return promise;
}

async function bytesOf(zip: Opened, entry: Entry): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>();
  zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await promise) chunks.push(chunk as Buffer);
  } catch (error) {
    throw new PartError('failed', `a file of the zip cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return Buffer.concat(chunks);
}

/** Opens a zip; what is read of it counts against the budget before it is unpacked. */
export async function openZip(bytes: Uint8Array, sink: Pick<TextSink, 'unpack'>): Promise<ZipFile> {
  const zip = await open(bytes);
  const entries = await entriesOf(zip);
  return {
    names: [...entries.keys()],
    isEncrypted: (name) => entries.get(name)?.isEncrypted() ?? false,
    async read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      if (entry.isEncrypted()) throw new PartError('encrypted', 'it needs a password');
      sink.unpack(entry.uncompressedSize);
      return bytesOf(zip, entry);
    },
  };
}
