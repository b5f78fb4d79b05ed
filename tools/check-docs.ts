import { access, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { root, run } from './run.ts';
import { checkSettings } from './settings.ts';
import { checkTruth } from './check-truth.ts';

const LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)/g;

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Relative links of a page that lead nowhere. */
export async function brokenLinks(page: string, text: string, has: (path: string) => Promise<boolean>): Promise<string[]> {
  const found: string[] = [];
  for (const match of text.matchAll(LINK)) {
    const target = normalize(join(dirname(page), decodeURIComponent(match[1] ?? '')));
    if (!(await has(target))) found.push(`${page}: the link to ${match[1]} leads nowhere.`);
  }
  return found;
}

/** A path in backticks, with the title of a test after it: `tools/x.test.ts` “what it says”. */
const NAMED = /`([\w@.-]+(?:\/[\w@.-]+)+\.\w+)`(?: “([^”]+)”)?/g;

/** Files that a page names and that are not there, and titles of tests that their file does not contain. */
export async function missingNames(page: string, text: string, read: (path: string) => Promise<string | undefined>): Promise<string[]> {
  const found: string[] = [];
  for (const [, path = '', title] of text.matchAll(NAMED)) {
    const content = await read(path);
    if (content === undefined) found.push(`${page}: there is no ${path}.`);
    else if (title !== undefined && !content.replaceAll(String.raw`\'`, "'").includes(title))
      found.push(`${page}: ${path} has no test “${title}”.`);
  }
  return found;
}

/** Rows of a page that say neither which test holds them, by its title, nor that they are not built yet. */
export function untitledRows(page: string, text: string): string[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| sentence') && !line.startsWith('| ---'));
  return rows
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(([, , done = '', held = '']) => !/“[^”]+”/.test(held) && !done.includes('not built yet'))
    .map(([, sentence]) => `${page}: “${sentence}” names no test by its title.`);
}

/** The file of a test or of a benchmark in backticks, with as much of its path as tells it from others. */
const PROOF = /`((?:[\w@.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:test|e2e)\.tsx?|bench\/[\w-]+\.ts)`/g;

/** Proofs that a page names and that are not one file of the repository, and promises of its list after the last proof they name. */
export function unprovenPromises(page: string, text: string, files: readonly string[]): string[] {
  const found: string[] = [];
  for (const [, proof = ''] of text.matchAll(PROOF)) {
    const are = files.filter((file) => file === proof || file.endsWith(`/${proof}`));
    if (are.length !== 1) found.push(`${page}: ${proof} names ${are.length} files.`);
  }
  for (const promise of text.split(/\n(?=- \*\*|#)/).filter((part) => part.startsWith('- **'))) {
    const last =
      promise
        .replaceAll(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.)]) (?=[A-Z\d`])/)
        .at(-1) ?? '';
    if (last.match(PROOF) === null) found.push(`${page}: “${last}” names no test.`);
  }
  return found;
}

/** Pages whose files and tests must exist. */
const HELD_PAGES: readonly string[] = ['docs/spec-coverage.md'];

/** Every relative link in a tracked Markdown page leads somewhere, and the page of settings is what the code says. */
export async function checkDocs(): Promise<string> {
  const listed = await run('git', ['ls-files']);
  const files = listed.output.split('\n').filter(Boolean);
  const found: string[] = [];
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    const text = await readFile(join(root, page), 'utf8').catch(() => '');
    found.push(...(await brokenLinks(page, text, (path) => exists(join(root, path)))));
    if (page === 'SECURITY.md') found.push(...unprovenPromises(page, text, files));
    if (!HELD_PAGES.includes(page)) continue;
    found.push(...untitledRows(page, text));
    found.push(...(await missingNames(page, text, (path) => readFile(join(root, path), 'utf8').catch(() => undefined))));
  }
  found.push(...(await checkTruth()));
  const settings = await checkSettings();
  if (settings !== '') found.push(settings);
  return found.join('\n');
}
