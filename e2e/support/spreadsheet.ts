import { unzip } from './unzip.ts';

/** What stands in a cell of an export. */
export type Cell = string | number | null;

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(lt|gt|quot|apos|amp));/g, (_whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }[name ?? ''] ?? '') : String.fromCodePoint(Number(code)),
  );

/** All texts of a piece of XML, one after the other. */
const textIn = (xml: string): string => unescaped([...xml.matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text).join(''));

/** The place of a cell in its row, from its name: `C7` is the third. */
const columnOf = (name: string): number =>
  Array.from(name.replaceAll(/\d/g, ''), (letter) => letter.charCodeAt(0) - 64).reduce((sum, letter) => sum * 26 + letter, 0) - 1;

/** The cells of a row of a sheet; those that are left out are empty. */
function cellsOf(row: string, shared: readonly string[]): readonly Cell[] {
  const cells: Cell[] = [];
  for (const [, attributes = '', inside = ''] of row.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
    const at = columnOf(attributes.match(/r="(\w+)"/)?.[1] ?? 'A1');
    while (cells.length < at) cells.push(null);
    cells.push(valueOf(inside, attributes.match(/t="(\w+)"/)?.[1], shared));
  }
  return cells;
}

function valueOf(inside: string, type: string | undefined, shared: readonly string[]): Cell {
  const value = inside.match(/<v>(.*?)<\/v>/s)?.[1];
  if (type === 'inlineStr') return textIn(inside);
  if (value === undefined) return null;
  return type === 's' ? (shared[Number(value)] ?? null) : Number(value);
}

/** The first sheet of a workbook, read without the code that wrote it. A formula is an error: nothing here computes. */
export function readWorkbook(archive: Buffer): { readonly name: string; readonly rows: readonly (readonly Cell[])[] } {
  const files = unzip(archive);
  const file = (ending: string): string => [...files].find(([name]) => name.endsWith(ending))?.[1].toString('utf8') ?? '';
  const shared = [...file('sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, item = '']) => textIn(item));
  const sheet = file('worksheets/sheet1.xml');
  if (/<f[ >]/.test(sheet)) throw new Error('A cell holds a formula.');
  const rows = [...sheet.matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => cellsOf(row, shared));
  return { name: unescaped(file('workbook.xml').match(/<sheet [^>]*name="([^"]*)"/)?.[1] ?? ''), rows };
}

/** The rows of a text of comma-separated values; fields may be quoted. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const fields = [...text.matchAll(/(^|,|\n)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)];
  const rows: string[][] = [];
  for (const [, before, quoted, plain = ''] of fields) {
    if (before !== ',') rows.push([]);
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  }
  return rows;
}
