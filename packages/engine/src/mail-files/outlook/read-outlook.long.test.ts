import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { writePst, type PstSettings, type SparseFile } from '../../../testing/pst-writer.ts';

const run = promisify(execFile);
const GIB = 2 ** 30;
const MOST_MB = 256;
const program = path.resolve(import.meta.dirname, '../../../testing/read-outlook.process.ts');

interface Read {
  readonly mails: number;
  readonly faults: number;
  readonly largest: number;
  readonly hashes: string;
  readonly maxRssMb: number;
}

async function written({ pieces, sizeBytes }: SparseFile): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sparse-pst-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const name = path.join(folder, 'anna.pst');
  const handle = await open(name, 'w');
  await handle.truncate(sizeBytes);
  for (const { at, bytes } of pieces) await handle.write(bytes, 0, bytes.byteLength, at);
  await handle.close();
  return name;
}

async function readAlone(name: string): Promise<Read> {
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, name], { maxBuffer: 1024 * 1024 });
  return JSON.parse(stdout) as Read;
}

const attachment = Buffer.alloc(60 * 1024 * 1024, 'sixty megabytes ');
const items = [
  { properties: [{ id: 0x37, value: 'Large' }], attachments: [{ name: 'large.bin', bytes: attachment }] },
  ...Array.from({ length: 5_000 }, (_, index) => ({
    properties: [
      { id: 0x37, value: `Mail ${index}` },
      { id: 0x1000, value: `Body ${index} `.repeat(150) },
    ],
  })),
];
const sparse = (settings: PstSettings): Promise<string> => written(writePst([{ name: 'Inbox', items }], settings));

test('A7: a data file of 6 GB with a mail of 60 MB is read whole within 256 MB of memory, and twice to the same messages', async () => {
  const name = await sparse({ from: 6 * GIB });
  const first = await readAlone(name);
  expect(first).toMatchObject({ mails: 5_001, faults: 0 });
  expect(first.largest).toBeGreaterThan(attachment.byteLength);
  expect(first.maxRssMb).toBeLessThanOrEqual(MOST_MB);
  expect((await readAlone(name)).hashes).toBe(first.hashes);
}, 600_000);

test('A7: a data file of 6 GB that was cut off gives what is there of it, and counts the rest', async () => {
  const name = await sparse({ from: 6 * GIB });
  const handle = await open(name, 'r+');
  const { size } = await handle.stat();
  // The lists of what the file holds are at its end.
  await handle.truncate(size - 200_000);
  await handle.close();
  const { mails, faults, maxRssMb } = await readAlone(name);
  expect(faults).toBeGreaterThan(0);
  expect(mails).toBeLessThan(5_001);
  expect(maxRssMb).toBeLessThanOrEqual(MOST_MB);
}, 600_000);
