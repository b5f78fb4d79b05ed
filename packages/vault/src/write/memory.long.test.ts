import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { aFolder } from '../../testing/builders.ts';

const SCRIPT = path.join(import.meta.dirname, '..', '..', 'testing', 'memory-writer.ts');
const MEGABYTE = 1024 * 1024;

it.each([
  { what: 'one content of 8 GB', sizeBytes: 8192 * MEGABYTE, count: 1, atOnce: 1 },
  { what: 'four contents of 96 MB at once', sizeBytes: 96 * MEGABYTE, count: 12, atOnce: 4 },
  { what: '24 contents of 96 MB at once', sizeBytes: 96 * MEGABYTE, count: 48, atOnce: 24 },
  { what: '200,000 contents of 10 KB', sizeBytes: 10 * 1024, count: 200_000, atOnce: 24 },
])('a writer takes at most 256 MB for $what at full speed', async ({ what, sizeBytes, count, atOnce }) => {
  const { folder, remove } = aFolder();
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, folder, ...[sizeBytes, count, atOnce].map(String)]);
  const { packedMegabytes, ownMegabytes, peakMegabytes } = JSON.parse(stdout) as { [figure: string]: number };
  process.stdout.write(`${what}: ${ownMegabytes} MB of the writer's own, ${peakMegabytes} MB of the process at its peak\n`);
  expect(packedMegabytes).toBeGreaterThanOrEqual(Math.floor((sizeBytes * count) / MEGABYTE));
  expect(ownMegabytes).toBeLessThanOrEqual(256);
  remove();
});
