import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './run.ts';

/** Limits on the size of files, so that each can be read in one sitting. Lint holds the maximum of a single file. */
const limits = { medianLines: 100, percentile95Lines: 300, maximumLines: 400 } as const;

const isTest = (path: string): boolean => /\.(test|contract|e2e)\.tsx?$|\/testing\//.test(path);
const isSource = (path: string): boolean => /^(apps|packages)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts');

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** What exceeds a budget, one line each; empty when all hold. */
export function overBudget(files: readonly { readonly path: string; readonly lines: number }[]): string[] {
  const sizes = files.map((file) => file.lines).sort((a, b) => a - b);
  const found = files
    .filter((file) => file.lines > limits.maximumLines)
    .map((file) => `${file.path} has ${file.lines} lines, more than ${limits.maximumLines}.`);
  const median = at(sizes, 0.5);
  const percentile95 = at(sizes, 0.95);
  if (median > limits.medianLines) found.push(`The median source file has ${median} lines, more than ${limits.medianLines}.`);
  if (percentile95 > limits.percentile95Lines)
    found.push(`One source file in twenty has ${percentile95} lines or more; the limit is ${limits.percentile95Lines}.`);
  return found;
}

/** Measures the sources that git tracks. */
export async function checkBudgets(): Promise<string> {
  const listed = await run('git', ['ls-files', 'apps', 'packages']);
  const paths = listed.output.split('\n').filter((path) => isSource(path) && !isTest(path));
  const files = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8').catch(() => '');
      return { path, lines: text.split('\n').length - 1 };
    }),
  );
  return overBudget(files).join('\n');
}
