import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);

interface Traced {
  readonly number: string;
  readonly title: string;
  readonly file: string;
}

/** The rows of the table; a row without a number belongs to the trap above it. */
function traced(table: string): Traced[] {
  let number = '';
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [, own = '', , title = '', file = ''] = line.split('|').map((cell) => cell.trim());
      number = own === '' ? number : own;
      return { number, title, file: file.replace(' _long_', '') };
    });
}

it('every trap is traced to tests that there are', () => {
  const rows = traced(readFileSync(new URL('docs/graph-traps.md', root), 'utf8'));
  expect([...new Set(rows.map(({ number }) => Number(number)))]).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
  const missing = rows.filter(({ title, file }) => !readFileSync(new URL(file, root), 'utf8').includes(title));
  expect(missing).toEqual([]);
});
