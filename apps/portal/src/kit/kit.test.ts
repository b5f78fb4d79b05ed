import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.resolve(import.meta.dirname, '..');
const folder = path.join(source, 'ui');

async function filesBelow(place: string): Promise<string[]> {
  const names = await readdir(place, { recursive: true });
  return names.filter((name) => name.endsWith('.tsx') && !name.includes('.test.')).map((name) => path.join(place, name));
}

/** What a file imports of ours, at once or later. */
async function importsOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)].map((match) => path.resolve(path.dirname(file), match[1] ?? ''));
}

async function reachedFrom(files: readonly string[], seen = new Set<string>()): Promise<ReadonlySet<string>> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    await reachedFrom(await importsOf(file), seen);
  }
  return seen;
}

test('the kit page shows every part of ui/', async () => {
  const parts = await filesBelow(folder);
  expect(parts.length).toBeGreaterThan(25);
  const shown = await reachedFrom(await filesBelow(path.join(source, 'kit')));
  expect(parts.filter((part) => !shown.has(part)).map((part) => path.relative(folder, part))).toEqual([]);
});

test('nothing that is delivered knows the kit page', async () => {
  const delivered = await reachedFrom([path.join(source, 'main.tsx')]);
  expect(delivered.size).toBeGreaterThan(100);
  expect([...delivered].filter((file) => file.startsWith(path.join(source, 'kit')))).toEqual([]);
});
