import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.resolve(import.meta.dirname, '..');

/** A schema that is reached by its route, to check or to change something by it. */
const byRoute =
  /\b\w+\.\w+\.(?:body|query|params|response)\.(?:parse|safeParse|shape|pick|omit|extend|partial)\b|useSchemaForm\(\s*\w+\.\w+\./;

test('schemas are imported by their own names: what is delivered has routes without them', async () => {
  const names = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testing[\\/]/.test(name));
  expect(names.length).toBeGreaterThan(150);
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await readFile(path.join(source, name), 'utf8') })));
  expect(texts.filter(({ text }) => byRoute.test(text)).map(({ name }) => name)).toEqual([]);
});
