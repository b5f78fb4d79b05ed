import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { RestateReport } from '../../testing/restate-large.ts';

const ITEMS = 600_000;
const LOST_ITEMS = 20_000;
const HEAP_MEGABYTES = 128;

it('a resource of 600,000 items is stated again in a heap that its ids alone would fill', async () => {
  const program = fileURLToPath(new URL('../../testing/restate-large.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP_MEGABYTES}`, program, String(ITEMS)]);
  expect(JSON.parse(stdout) as RestateReport).toEqual({ restated: LOST_ITEMS });
});
