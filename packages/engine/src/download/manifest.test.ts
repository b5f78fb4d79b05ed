import { collect } from '@holdfast/foundation/streams';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { expect, it } from 'vitest';
import { withManifest } from './manifest.ts';
import { createUniquePaths } from './safe-name.ts';
import type { ZipEntry } from './zip-stream.ts';

const entry = (path: string, content: string): ZipEntry => ({
  path,
  modifiedAt: undefined,
  async *open() {
    for (const part of content) yield Buffer.from(part);
  },
});

it('lists many files in several parts, each under a name that no file has', async () => {
  const unique = createUniquePaths();
  const names = ['a.txt', 'manifest.sha256', 'b.txt', 'c.txt', 'd.txt'].map((name) => unique('', name));
  async function* files(): AsyncGenerator<ZipEntry> {
    for (const name of names) yield entry(name, `words of ${name}`);
  }
  const found = new Map<string, string>();
  for await (const file of withManifest(files(), (wanted) => unique('', wanted), 2)) {
    expect(found.has(file.path)).toBe(false);
    found.set(file.path, (await collect(file.open(), 10_000)).toString('utf8'));
  }
  const parts = [...found].filter(([path]) => !names.includes(path));
  expect(parts.map(([, list]) => list.split('\n').length - 1)).toEqual([2, 2, 1]);
  expect(parts.map(([, list]) => list).join('')).toBe(
    names.map((name) => `${sha256Hex(Buffer.from(`words of ${name}`))}  ${name}\n`).join(''),
  );
});
