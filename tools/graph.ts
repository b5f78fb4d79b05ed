import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cruiseFolders } from './check-architecture.ts';
import { root } from './run.ts';

const page = join(root, 'ARCHITECTURE.md');
const begin = '<!-- arrows: npm run graph -->';
const end = '<!-- /arrows -->';

const nameOf = (path: string): string | undefined => /^(?:apps|packages)\/([^/]+)\//.exec(path)?.[1];
const isTest = (path: string): boolean => /\.(test|contract|e2e)\.tsx?$|\/testing\//.test(path);

/** The arrows between packages as they really are in the imports, as a Mermaid graph. */
export async function packageGraph(): Promise<string> {
  const result = await cruiseFolders(['apps', 'packages']);
  const arrows = new Set<string>();
  for (const module of result.modules) {
    if (isTest(module.source)) continue;
    const from = nameOf(module.source);
    for (const dependency of module.dependencies) {
      const to = nameOf(dependency.resolved);
      if (from && to && from !== to) arrows.add(`  ${from} --> ${to}`);
    }
  }
  return ['```mermaid', 'graph TD', ...[...arrows].sort(), '```'].join('\n');
}

/** What stands in ARCHITECTURE.md between the marks. */
export async function writtenGraph(): Promise<string> {
  const text = await readFile(page, 'utf8');
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end)).trim();
}

if (import.meta.main) {
  const text = await readFile(page, 'utf8');
  const before = text.slice(0, text.indexOf(begin) + begin.length);
  const after = text.slice(text.indexOf(end));
  await writeFile(page, `${before}\n\n${await packageGraph()}\n\n${after}`);
}
