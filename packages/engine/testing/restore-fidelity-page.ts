import { readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'restore-fidelity.md');

function section(title: string): string {
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(`\n## ${title}\n`);
  if (start < 0) throw new Error(`The page has no section ${title}.`);
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end < 0 ? undefined : end);
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
}

/** The properties that the page says the service sets itself, for one kind of item. */
export function ownedByService(kind: string): ReadonlySet<string> {
  const row = section('What the service sets itself')
    .split('\n')
    .find((line) => line.startsWith(`| ${kind} `));
  if (row === undefined) throw new Error(`The page names nothing that the service sets itself for ${kind}.`);
  return new Set(quoted(row));
}

/** The differences that the page says the report of a section can name; `header NAME` appears as `header`. */
export function differencesOf(title: string): ReadonlySet<string> {
  const rows = section(title)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return new Set(rows.flatMap((row) => quoted(row.split('|')[3] ?? '')).map((name) => name.split(' ')[0] ?? ''));
}
