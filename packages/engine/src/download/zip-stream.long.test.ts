import { collect } from '@holdfast/foundation/streams';
import { expect, it } from 'vitest';
import { zipStream, type ZipEntry } from './zip-stream.ts';

const LIMIT = 256 * 1024 * 1024;
const MANY = 70_000;
const LARGE_BYTES = 4_400_000_000;
const END_OF_ZIP64 = 0x06064b50;

interface Listed {
  readonly name: string;
  readonly sizeBytes: number;
}

/** How many files the directory lists and where it begins: in the record of large archives when the short one has no room. */
function endOf(zip: Buffer): { readonly count: number; readonly at: number } {
  const end = zip.length - 22;
  const count = zip.readUInt16LE(end + 10);
  if (count !== 0xff_ff) return { count, at: zip.readUInt32LE(end + 16) };
  const record = Number(zip.readBigUInt64LE(end - 20 + 8));
  expect(zip.readUInt32LE(record)).toBe(END_OF_ZIP64);
  return { count: Number(zip.readBigUInt64LE(record + 32)), at: Number(zip.readBigUInt64LE(record + 48)) };
}

/** The directory of an archive, by its own records (APPNOTE 4.3.12 to 4.3.16, 4.5.3). */
function directoryOf(zip: Buffer): Listed[] {
  const { count, at: first } = endOf(zip);
  let at = first;
  return Array.from({ length: count }, () => {
    const [nameBytes, extraBytes] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    let sizeBytes = zip.readUInt32LE(at + 24);
    for (let extra = at + 46 + nameBytes; extra < at + 46 + nameBytes + extraBytes; extra += 4 + zip.readUInt16LE(extra + 2))
      if (zip.readUInt16LE(extra) === 1 && sizeBytes === 0xff_ff_ff_ff) sizeBytes = Number(zip.readBigUInt64LE(extra + 4));
    at += 46 + nameBytes + extraBytes;
    return { name, sizeBytes };
  });
}

it('an archive holds more files than 65,535', async () => {
  async function* entries(): AsyncGenerator<ZipEntry, void, undefined> {
    for (let at = 0; at < MANY; at += 1) {
      yield {
        path: `f/${at}`,
        modifiedAt: undefined,
        open: async function* open() {
          yield Buffer.from('x');
        },
      };
    }
  }
  const listed = directoryOf(await collect(zipStream(entries()), LIMIT));
  expect(listed).toHaveLength(MANY);
  expect(listed.at(-1)).toEqual({ name: `f/${MANY - 1}`, sizeBytes: 1 });
}, 600_000);

it('an archive holds a file of more than 4 GiB', async () => {
  const part = Buffer.alloc(1_100_000);
  async function* zeros(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let left = LARGE_BYTES; left > 0; left -= part.byteLength) yield part;
  }
  async function* entries(): AsyncGenerator<ZipEntry, void, undefined> {
    yield { path: 'large', modifiedAt: undefined, open: zeros };
    yield {
      path: 'after',
      modifiedAt: undefined,
      open: () =>
        (async function* open() {
          yield Buffer.from('x');
        })(),
    };
  }
  const zip = await collect(zipStream(entries()), LIMIT);
  expect(directoryOf(zip)).toEqual([
    { name: 'large', sizeBytes: LARGE_BYTES },
    { name: 'after', sizeBytes: 1 },
  ]);
}, 600_000);
