import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en } from './en.ts';
import { specTexts } from './testing/spec-texts.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Groups whose phrases are found by the codes and names that others give: each has a test of its own, or its type does. */
const foundByCode = [
  'errors',
  'reasons',
  'advice',
  'stages',
  'kinds',
  'auditEvents',
  'differences',
  'rules',
  'audit.subjects',
  'audit.fields',
  'audit.values',
  'restore.facts',
  'mails',
  'search.faults',
  'search.warnings',
];

async function sources(): Promise<string> {
  const folders = ['apps/portal/src', 'apps/server/src', 'packages/contract/src'];
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(join(root, folder), { recursive: true })).map((file) => join(root, folder, file))),
  );
  const code = files.flat().filter((file) => /\.tsx?$/.test(file) && !/\.test\.|[\\/](?:testing|kit)[\\/]/.test(file));
  return (await Promise.all(code.map((file) => readFile(file, 'utf8')))).join('\n');
}

/** Every phrase by its key, without what tells its plurals apart. */
function keysOf(phrases: object, path = ''): string[] {
  return Object.entries(phrases).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [`${path}${key.replace(/_(?:one|other)$/, '')}`] : keysOf(value as object, `${path}${key}.`),
  );
}

test('every phrase is shown somewhere, but for what was agreed and what is found by a code', async () => {
  const code = await sources();
  const words = new Set(code.match(/\w+/g));
  const named = new Set([...code.matchAll(/['`.]([a-z]\w*(?:\.[\w-]+)+)/g)].map((match) => match[1] ?? ''));
  const templates = [...code.matchAll(/`(\w+(?:\.\w+)*\.)(\w*)\$\{[^}]*\}(\w*)`/g)];
  const agreed = new Set(Object.values(specTexts).flatMap((texts) => Object.keys(texts).map((key) => key.replace(/_(?:one|other)$/, ''))));
  const isFilled = (key: string): boolean =>
    templates.some(([, group = '', start = '', end = '']) => {
      if (!key.startsWith(group + start) || !key.endsWith(end)) return false;
      const middle = key.slice(group.length + start.length, key.length - end.length);
      return words.has(middle) || words.has(middle.charAt(0).toLowerCase() + middle.slice(1));
    });
  const unused = [...new Set(keysOf(en))].filter(
    (key) => !named.has(key) && !agreed.has(key) && !foundByCode.some((group) => key.startsWith(`${group}.`)) && !isFilled(key),
  );
  expect(unused).toEqual([]);
});
