import { inflateRawSync } from 'node:zlib';

const END_RECORD = 0x06054b50;
const LOCAL_HEADER_BYTES = 30;

/** The files of a zip held in memory, read from its directory; for tests, where archives are small. */
export function unzip(data: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let end = data.length - 22;
  while (end >= 0 && data.readUInt32LE(end) !== END_RECORD) end -= 1;
  let at = data.readUInt32LE(end + 16);
  for (let left = data.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = data.readUInt16LE(at + 10);
    const packedBytes = data.readUInt32LE(at + 20);
    const nameBytes = data.readUInt16LE(at + 28);
    const name = data.toString('utf8', at + 46, at + 46 + nameBytes);
    const local = data.readUInt32LE(at + 42);
    const start = local + LOCAL_HEADER_BYTES + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const packed = data.subarray(start, start + packedBytes);
    files.set(name, method === 0 ? packed : inflateRawSync(packed));
    at += 46 + nameBytes + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return files;
}
