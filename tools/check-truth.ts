import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './run.ts';

const PAGE_OF_TRUTH = 'docs/graph-truth.md';
const PROBES = ['directory-probes.ts', 'workload-probes.ts'].map((name) => `packages/m365/src/probes/${name}`);

/** A row by the names of its columns. */
type TruthRow = Readonly<Record<string, string>>;

function truthRows(page: string): readonly TruthRow[] {
  const rows: TruthRow[] = [];
  let columns: readonly string[] = [];
  for (const line of page.split('\n').filter((text) => /^\| (?!-)/u.test(text))) {
    const cells = line.split(/(?<!\\)\|/u).map((cell) => cell.trim());
    if (cells[1] === 'behaviour') columns = cells;
    else rows.push(Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])));
  }
  return rows;
}

/** The tests that a row names: one by its title and file, or files alone. */
function testsOf(row: TruthRow): readonly { readonly file: string; readonly title: string }[] {
  if (row['file'] !== undefined) return [{ file: row['file'], title: row['test'] ?? '' }];
  return [...(row['test'] ?? '').matchAll(/`([^`]+\.test\.ts)`/gu)].map(([, file = '']) => ({ file, title: 'it' }));
}

/** `undefined` when none tries it. */
function probeOf(row: TruthRow): string | undefined {
  const probe = row['probe'] ?? '–';
  return probe === '–' ? undefined : probe.replaceAll('`', '');
}

function isKnown(row: TruthRow): boolean {
  return (row['known from'] ?? row['source'] ?? '') !== '' || Object.values(row).some((cell) => cell.includes('unverified'));
}

/** What is wrong with the table of behaviours: tests and probes that do not exist, and probes that no row names. */
export async function wrongRows(page: string, probes: ReadonlySet<string>, read: (path: string) => Promise<string>): Promise<string[]> {
  const found: string[] = [];
  const rows = truthRows(page);
  for (const row of rows) {
    const probe = probeOf(row);
    if (probe !== undefined && !probes.has(probe)) found.push(`${PAGE_OF_TRUTH}: there is no probe called ${probe}.`);
    for (const { file, title } of testsOf(row)) {
      if (title === '' || !(await read(file)).includes(title)) found.push(`${PAGE_OF_TRUTH}: ${file} has no test "${title}".`);
    }
    if (!isKnown(row)) found.push(`${PAGE_OF_TRUTH}: nothing says where "${(row['behaviour'] ?? '').slice(0, 60)}" is known from.`);
  }
  for (const name of probes)
    if (!rows.some((row) => probeOf(row) === name)) found.push(`${PAGE_OF_TRUTH}: no row names the probe ${name}.`);
  return found;
}

/** Holds the table of what the product relies on against the tests and the probes that there are. */
export async function checkTruth(): Promise<string[]> {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8').catch(() => '');
  const sources = await Promise.all(PROBES.map(read));
  const probes = new Set(sources.flatMap((text) => [...text.matchAll(/^ {4}name: '([a-z-]+)',$/gmu)].map(([, name = '']) => name)));
  return wrongRows(await read(PAGE_OF_TRUTH), probes, read);
}
