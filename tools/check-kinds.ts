import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './run.ts';

/**
 * How many files outside a kind's own folder spell out a kind of job. Ask `traitsOf` or the registry of kinds instead;
 * lower this number whenever a file stops doing so.
 */
const ceiling = 17;

/** Words that name a kind of job and nothing else. */
const plain = /(?<!\bid: )'(?:deletion|drill|verify)'/;
/** Words that are also used for locations, menus and priorities: only where they are compared with a type, or listed. */
const ambiguous = /\b(?:type|types|alsoListed|case)\b[^;\n]{0,40}'(?:backup|archive|restore)'/;

/** A kind's own rooms, where its name belongs, and the lists that register it. */
const own =
  /^packages\/contract\/src\/jobs\/kinds\/|\/features\/(?:backup|archive|restore|deletion|drill|verify|assurance)\/|^packages\/phrases\/|^packages\/m365|^packages\/engine/;
const isSource = (path: string): boolean =>
  /^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.(?:test|contract)\.tsx?$|\/testing\//.test(path);

/** Files outside a kind's own rooms that spell out a kind of job. */
export function filesThatNameKinds(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files
    .filter(({ path }) => isSource(path) && !own.test(path))
    .filter(({ text }) => text.split('\n').some((line) => plain.test(line) || ambiguous.test(line)))
    .map(({ path }) => path);
}

/** What is wrong with the number of these files; empty when it is exactly the ceiling. */
export function overCeiling(found: readonly string[], most = ceiling): string {
  if (found.length === most) return '';
  if (found.length < most) return `Only ${found.length} files name a kind of job: lower the ceiling of ${most} in tools/check-kinds.ts.`;
  return `${found.length} files name a kind of job, more than ${most}. Ask traitsOf or the registry of kinds instead:\n${found.join('\n')}`;
}

/** Counts over the sources that git tracks. */
export async function checkKinds(): Promise<string> {
  const listed = await run('git', ['ls-files', 'apps', 'packages']);
  const paths = listed.output.split('\n').filter(isSource);
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8').catch(() => '') })));
  return overCeiling(filesThatNameKinds(files));
}
