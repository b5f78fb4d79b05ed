import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepPort, keptPort } from './kept-port.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-port-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a port is kept for the next start, unless somebody else has it by then', async () => {
  const file = path.join(folder, 'new', 'port');
  expect(await keptPort(file), 'nothing is kept yet').toBe(0);
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { readonly port: number }).port)),
  );
  await keepPort(file, port);
  expect(await keptPort(file)).toBe(0);
  await new Promise((resolve) => server.close(resolve));
  expect(await keptPort(file)).toBe(port);
});

test('a file that says no port is none', async () => {
  const file = path.join(folder, 'odd');
  for (const text of ['', 'many', '-1', '70000', '1.5']) {
    await writeFile(file, text);
    expect(await keptPort(file), text).toBe(0);
  }
});
