import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { differences as german } from './de/differences.ts';
import { differences as english } from './en/differences.ts';

const PAGE = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'restore-fidelity.md');

/** Names that a report can carry, as the tables of the page list them in their last column. Codes of errors have a dot. */
function namesOnPage(): readonly string[] {
  const [, tables = ''] = readFileSync(PAGE, 'utf8').split('\n## Mail\n');
  const [reported = ''] = tables.split('\n## What is there already\n');
  const cells = reported.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|')[3] ?? ''] : []));
  const names = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)(?: [A-Z ]+)?`/gu)].map(([, name = '']) => name));
  return [...new Set(names)];
}

describe.each([
  ['English', english],
  ['German', german],
] as const)('the report of a restore in %s', (_language, phrases) => {
  it('has words for each difference that the page about fidelity names', () => {
    const names = namesOnPage();
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !(name in phrases))).toEqual([]);
  });
});
