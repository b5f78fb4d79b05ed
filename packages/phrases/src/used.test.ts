import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en } from './en.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Groups whose phrases are looked up by a code or a name that other code gives. */
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
  'periodReports.attention',
  'periodReports.attentionOne',
  'periodReports.grounds',
  'periodReports.verdicts',
  'procedures',
  'accessLetter',
  'erasureLetter',
  'search.faults',
  'search.warnings',
];

async function sources(folders: readonly string[]): Promise<string> {
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(join(root, folder), { recursive: true })).map((file) => join(root, folder, file))),
  );
  const code = files.flat().filter((file) => /\.tsx?$/.test(file) && !/\.test\.|[\\/](?:testing|kit)[\\/]/.test(file));
  return (await Promise.all(code.map((file) => readFile(file, 'utf8')))).join('\n');
}

/** Every phrase by its key, without what tells its plurals apart. */
function keysOf(phrases: object, path = ''): string[] {
  const keys = Object.entries(phrases).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [`${path}${key.replace(/_(?:one|other)$/, '')}`] : keysOf(value as object, `${path}${key}.`),
  );
  return [...new Set(keys)];
}

/** What code says of words: all of them, those in quotes, and the parts around the gap of a template. */
interface Code {
  readonly words: ReadonlySet<string>;
  readonly quoted: ReadonlySet<string>;
  readonly templates: readonly (readonly [string, string])[];
}

function codeOf(text: string): Code {
  return {
    words: new Set(text.match(/[\w-]+/g)),
    quoted: new Set([...text.matchAll(/['`]([\w.-]+)['`]/g)].map((match) => match[1] ?? '')),
    templates: [...text.matchAll(/`([\w.-]+)\$\{[^}]*\}([\w.-]*)`/g)].map((match) => [match[1] ?? '', match[2] ?? ''] as const),
  };
}

/** Whether the code contains a word, also with a capital letter as in identity codes. */
function isWord({ words }: Code, name: string): boolean {
  return words.has(name) || words.has(name.charAt(0).toUpperCase() + name.slice(1));
}

/** Whether code fills a template so that it becomes this name. */
function isFilledIn(code: Code, name: string): boolean {
  return code.templates.some(([start, end]) => {
    const middle = name.slice(start.length, name.length - end.length);
    return middle !== '' && name.startsWith(start) && name.endsWith(end) && isWord(code, middle);
  });
}

/** Codes with dots are given whole; names are words, each on the way to the phrase. */
function isGiven(code: Code, key: string): boolean {
  const group = foundByCode.find((name) => key.startsWith(`${name}.`));
  if (group === undefined) return false;
  const name = key.slice(group.length + 1);
  if (code.quoted.has(name) || isFilledIn(code, name)) return true;
  if (writtenEarlier.has(key)) return true;
  const isCode = group === 'errors' || group === 'reasons' || group === 'auditEvents';
  return !isCode && name.split('.').every((part) => isWord(code, part));
}

/** Agreed texts that nothing shows yet: of the deletion of messages, which is to come. */
const notShown = /^confirmations\.deletion/;

/** Looked up by what Microsoft calls its permissions, which stand in a data file: a test of the tenants compares them one by one. */
const ofPermissions = /^permissionUses\./;

test('every phrase is shown somewhere, but for agreed ones that wait for their page', async () => {
  const shown = await sources(['apps/portal/src', 'apps/server/src', 'packages/contract/src']);
  // That a contract lists a code proves nothing: somebody must answer with it.
  const giving = codeOf(await sources(['apps/portal/src', 'apps/server/src', ...giversOf]));
  const listed = codeOf((await sources(['packages/contract/src'])).replaceAll(/errors: \[[^\]]*\]/g, ''));
  const words = new Set(shown.match(/\w+/g));
  const named = new Set([...shown.matchAll(/['"`.]([a-z]\w*(?:\.[\w-]+)+)/g)].map((match) => match[1] ?? ''));
  const templates = [...shown.matchAll(/`(\w+(?:\.\w+)*\.)(\w*)\$\{[^}]*\}(\w*)`/g)];
  const isFilled = (key: string): boolean =>
    templates.some(([, group = '', start = '', end = '']) => {
      if (!key.startsWith(group + start) || !key.endsWith(end)) return false;
      const middle = key.slice(group.length + start.length, key.length - end.length);
      return words.has(middle) || words.has(middle.charAt(0).toLowerCase() + middle.slice(1));
    });
  const isUsed = (key: string): boolean =>
    foundByCode.some((group) => key.startsWith(`${group}.`))
      ? isGiven(giving, key) || (!key.startsWith('errors.') && (isGiven(listed, key) || listed.quoted.has(key)))
      : named.has(key) || isFilled(key);
  const unused = keysOf(en).filter((key) => !notShown.test(key) && !ofPermissions.test(key) && !isUsed(key));
  expect(unused).toEqual([]);
});

/** Events that the product no longer writes, and that stand in logs. */
const writtenEarlier = new Set(['auditEvents.identity.sign-in', 'auditEvents.identity.invitation-accepted']);

/** Packages whose codes and names reach a reader. */
const giversOf = ['engine', 'm365', 'vault', 'foundation', 'database'].map((name) => `packages/${name}/src`);
