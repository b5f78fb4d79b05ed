import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

const contract = join(import.meta.dirname, '..', '..', 'contract', 'src');

function textAt(phrases: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined), phrases);
}

/** Keys such as `validation.time` that a schema names for the text of a refused field. */
async function keysInSchemas(): Promise<string[]> {
  const files = (await readdir(contract, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(contract, file), 'utf8')));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/'((?:validation|rules)\.\w+)'/g)].map((match) => match[1] ?? '')))];
}

test('every rule that a schema names has a text in English and in German', async () => {
  const keys = await keysInSchemas();
  expect(keys.length).toBeGreaterThan(15);
  const missing = keys.flatMap((key) => [en, de].map((phrases) => (typeof textAt(phrases, key) === 'string' ? '' : key)).filter(Boolean));
  expect(missing).toEqual([]);
});

/** The names of what a sentence takes in: `{{count}}`. */
const parameters = (text: string): string[] => [...text.matchAll(/{{(\w+)}}/g)].map((match) => match[1] ?? '').sort();

function pairs(a: object, b: object, path = ''): { path: string; a: string; b: string }[] {
  return Object.entries(a).flatMap(([key, value]: [string, unknown]) => {
    const other: unknown = Reflect.get(b, key);
    if (typeof value === 'string') return [{ path: `${path}${key}`, a: value, b: String(other) }];
    return pairs(value as object, other as object, `${path}${key}.`);
  });
}

test('a German text takes in exactly what the English one does, and is never empty', () => {
  const wrong = pairs(en, de).filter(({ a, b }) => b.trim() === '' || parameters(a).join() !== parameters(b).join());
  expect(wrong).toEqual([]);
});

const restoring = join(import.meta.dirname, '..', '..', 'engine', 'src', 'restore');
/** Where the restorers name what the service did not take as it was: lists, additions to one, and what a call gives back. */
const named = [
  /differences[^=:'\n]*[=:] *\[([^\]]*)\]/g,
  /(?:differences|lost)\.(?:push|add)\(([^)]*)\)/g,
  /return (\['[^;]*\]);/g,
  /return \w[^;{}]*\? (\['[^;]*\]);/g,
  /\? (\['[\w.]+'\]) : \[\]/g,
  /(?:plain|people|times|moved) = ([^.;]*)/g,
];

test('every difference and limit of a restore has words, so that nobody meets a name of a property', async () => {
  const files = (await readdir(restoring, { recursive: true })).filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  const sources = await Promise.all(files.map((file) => readFile(join(restoring, file), 'utf8')));
  const texts = sources.map((text) => text.replaceAll(/[!=]== '\w+'/g, ''));
  const lists = texts.flatMap((text) => named.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')));
  const names = new Set(lists.flatMap((list) => [...list.matchAll(/'([\w.-]+)'/g)].map((match) => match[1] ?? '')));
  const limits = new Set(
    texts.flatMap((text) => [...text.matchAll(/'(restore\.limit\.[a-z-]+)'/g)].map((match) => `reasons.${match[1] ?? ''}`)),
  );
  expect(names.size).toBeGreaterThan(30);
  expect(limits.size).toBeGreaterThan(8);
  const keys = [...[...names].filter((name) => !name.startsWith('restore.')).map((name) => `differences.${name}`), ...limits];
  expect(keys.filter((key) => typeof textAt(en, key) !== 'string')).toEqual([]);
});

test('every reason that Microsoft Graph can give has a sentence', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'm365', 'src', 'errors', 'errors.ts'), 'utf8');
  const codes = [...text.matchAll(/'(graph\.[a-z-]+)'/g)].map((match) => match[1] ?? '');
  expect(new Set(codes).size).toBeGreaterThan(40);
  expect([...new Set(codes)].filter((code) => typeof textAt(en, `reasons.${code}`) !== 'string')).toEqual([]);
});

/** Microsoft's German products say "Besitzer" for an owner. */
test('the German texts have one word for an owner', () => {
  const owners = pairs(en, de).filter(({ a }) => /\bowner/i.test(a));
  expect(owners.length).toBeGreaterThan(15);
  expect(pairs(de, en).filter(({ a }) => /eigentümer|inhaber/i.test(a))).toEqual([]);
});
