import { crc32 } from 'node:zlib';

/** An entry of a ZIP file, stored without compression. */
export interface ZipEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
/** 1980-01-01, the earliest date the format has: contents must not depend on the clock. */
const DOS_DATE = 0x21;

/** What one entry adds to a ZIP file besides its data. */
export function zipOverhead(name: string): number {
  return 30 + 46 + 2 * Buffer.byteLength(name);
}

/** What an empty ZIP file takes. */
export const ZIP_END_BYTES = END_BYTES;

function localHeader({ name, data }: ZipEntry): Buffer {
  const label = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt32LE(crc32(data), 14);
  header.writeUInt32LE(data.byteLength, 18);
  header.writeUInt32LE(data.byteLength, 22);
  header.writeUInt16LE(label.byteLength, 26);
  return Buffer.concat([header, label]);
}

function centralHeader({ name, data }: ZipEntry, offset: number): Buffer {
  const label = Buffer.from(name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(DOS_DATE, 14);
  header.writeUInt32LE(crc32(data), 16);
  header.writeUInt32LE(data.byteLength, 20);
  header.writeUInt32LE(data.byteLength, 24);
  header.writeUInt16LE(label.byteLength, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, label]);
}

function endRecord(entries: number, sizeBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(sizeBytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** A ZIP file of `entries`, all stored. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Uint8Array[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const header = localHeader(entry);
    centrals.push(centralHeader(entry, offset));
    locals.push(header, entry.data);
    offset += header.byteLength + entry.data.byteLength;
  }
  const directory = Buffer.concat(centrals);
  return Buffer.concat([...locals, directory, endRecord(entries.length, directory.byteLength, offset)]);
}

/**
 * The same ZIP file with one more entry, all others untouched: how SharePoint adds its properties to an Office file.
 * Undefined for anything that is no plain ZIP file.
 */
export function addZipEntry(file: Buffer, entry: ZipEntry): Buffer | undefined {
  const end = file.byteLength - END_BYTES;
  if (end < 0 || file.readUInt32LE(end) !== END) return undefined;
  const count = file.readUInt16LE(end + 10);
  const directoryBytes = file.readUInt32LE(end + 12);
  const offset = file.readUInt32LE(end + 16);
  if (offset + directoryBytes !== end) return undefined;
  const header = localHeader(entry);
  const directory = Buffer.concat([file.subarray(offset, end), centralHeader(entry, offset)]);
  const added = header.byteLength + entry.data.byteLength;
  return Buffer.concat([
    file.subarray(0, offset),
    header,
    entry.data,
    directory,
    endRecord(count + 1, directory.byteLength, offset + added),
  ]);
}
