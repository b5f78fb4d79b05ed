import path from 'node:path';
import { expect, test } from 'vitest';
import config from '../vitest.config.ts';
import { run } from './run.ts';

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude: readonly string[] };
}

test('every test file is run by exactly one project', async () => {
  const projects = (config.test?.projects ?? []) as unknown as readonly Project[];
  const matches = (file: string, globs: readonly string[]): boolean => globs.some((glob) => path.matchesGlob(file, glob));
  const projectsOf = (file: string): string[] =>
    projects.flatMap(({ test: { name, include, exclude } }) => (matches(file, include) && !matches(file, exclude) ? [name] : []));
  const { output } = await run('git', ['ls-files', '--', '*.test.ts', '*.test.tsx', '*.e2e.ts']);
  const files = output.split('\n').filter(Boolean);
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
});
