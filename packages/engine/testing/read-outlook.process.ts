import { open } from 'node:fs/promises';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { readMailFiles } from '../src/mail-files/read-mail-files.ts';

/** Reads a file of mail and says what it came to and how much memory that took: measured alone, in a process of its own. */
const [name = ''] = process.argv.slice(2);
const handle = await open(name, 'r');
const { size: sizeBytes } = await handle.stat();
const file = {
  name,
  sizeBytes,
  async read(offset: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  },
};
const counts = { mails: 0, faults: 0, largest: 0 };
const hashes: string[] = [];
for await (const entry of readMailFiles(
  (async function* only() {
    yield await Promise.resolve(file);
  })(),
)) {
  counts[entry.kind === 'mail' ? 'mails' : 'faults'] += 1;
  counts.largest = Math.max(counts.largest, entry.bytes.byteLength);
  hashes.push(sha256Hex(entry.bytes));
}
await handle.close();
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ ...counts, hashes: sha256Hex(Buffer.from(hashes.join('\n'))), maxRssMb: Math.ceil(maxRSS / 1024) }));
