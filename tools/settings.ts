import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run.ts';

const page = join(root, 'docs/operations/settings.md');
const SETTING = /\/\*\* ([^*]*(?:\*(?!\/)[^*]*)*)\*\/\s*\n\s*(HOLDFAST_[A-Z0-9_]+):|^\s+(HOLDFAST_[A-Z0-9_]+):/gm;
const FILES = /const FROM_FILE[^=]*= \[([^\]]*)\]/;

/** Every setting with what `config.ts` says about it, in its order. */
export function settingsPage(source: string): string {
  const fromFile = new Set([...(FILES.exec(source)?.[1] ?? '').matchAll(/HOLDFAST_[A-Z0-9_]+/g)].map((match) => match[0]));
  const rows = [...source.matchAll(SETTING)].map((match) => {
    const name = match[2] ?? match[3] ?? '';
    const meaning = (match[1] ?? '').replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
    return `| \`${name}\`${fromFile.has(name) ? ` or \`${name}_FILE\`` : ''} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  return [
    '# Settings',
    '',
    'Settings are environment variables. An unknown or wrong one ends the start with code 2 and a list of all that is wrong. A name that ends in `_FILE` holds the path of a file',
    'with the value: use it for secrets. This page is written from `apps/server/src/settings/config.ts` by `npm run settings`.',
    '',
    '| setting | meaning |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** What is wrong with the page in the repository, if anything. */
export async function checkSettings(): Promise<string> {
  const [source, written] = await Promise.all([
    readFile(join(root, 'apps/server/src/settings/config.ts'), 'utf8'),
    readFile(page, 'utf8').catch(() => ''),
  ]);
  const undocumented = settingsPage(source)
    .split('\n')
    .filter((line) => line.endsWith('|  |'));
  if (undocumented.length > 0) return `Settings without a word about them: ${undocumented.join(' ')}`;
  return settingsPage(source) === written ? '' : 'docs/operations/settings.md is not what config.ts says. Run "npm run settings".';
}

if (import.meta.main) await writeFile(page, settingsPage(await readFile(join(root, 'apps/server/src/settings/config.ts'), 'utf8')));
