import { inflateRawSync } from 'node:zlib';

const endMark = 0x06_05_4b_50;
const entryMark = 0x02_01_4b_50;

/** The files of a zip archive by name, read without the code that wrote them. */
export function unzip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  if (end < 0 || archive.readUInt32LE(end) !== endMark) throw new Error('This is no zip archive.');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== entryMark) throw new Error('The directory of the zip archive is broken.');
    const packed = archive.readUInt32LE(at + 20);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(start, start + packed);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) files.set(name, archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}
