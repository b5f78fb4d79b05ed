import { access, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { root, run } from './run.ts';
import { checkSettings } from './settings.ts';

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

/** Every relative link in a tracked Markdown page leads somewhere, and the page of settings is what the code says. */
export async function checkDocs(): Promise<string> {
  const listed = await run('git', ['ls-files', '*.md']);
  const found: string[] = [];
  for (const page of listed.output.split('\n').filter(Boolean)) {
    const text = await readFile(join(root, page), 'utf8').catch(() => '');
    found.push(...(await brokenLinks(page, text, (path) => exists(join(root, path)))));
  }
  const settings = await checkSettings();
  if (settings !== '') found.push(settings);
  return found.join('\n');
}
