import { createReadStream } from 'node:fs';

/** A cell as it was before a quote was put in front of what a spreadsheet would take for a formula. */
const plain = (cell: string): string => (/^'[=+\-@\t\r\0]/u.test(cell) ? cell.slice(1) : cell);

/** Cuts text into the cells of comma-separated values; what is fed may end anywhere. */
function createCells(onRow: (cells: string[]) => void) {
  let [cell, row]: [string, string[]] = ['', []];
  let [isQuoted, wasQuote] = [false, false];
  const endCell = (): void => {
    row.push(plain(cell));
    cell = '';
  };
  const take = (sign: string): void => {
    if (wasQuote && sign === '"') cell += '"';
    if (sign === '"') {
      // Two quotes in a row are one quote of the text.
      isQuoted = wasQuote || !isQuoted;
      wasQuote = !wasQuote && !isQuoted;
      return;
    }
    wasQuote = false;
    if (isQuoted) cell += sign;
    else if (sign === ',') endCell();
    else if (sign === '\n') {
      endCell();
      onRow(row);
      row = [];
    } else if (sign !== '\r') cell += sign;
  };
  return { take };
}

/** The rows of a file of comma-separated values, each by the names in its first line. */
export async function* csvRows(file: string): AsyncGenerator<Readonly<Record<string, string>>, void, undefined> {
  let ready: string[][] = [];
  const { take } = createCells((cells) => ready.push(cells));
  let names: string[] | undefined;
  for await (const text of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
    for (const sign of text) take(sign);
    for (const cells of ready) {
      if (names) yield Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
      else names = cells.map((name) => name.replace('\uFEFF', ''));
    }
    ready = [];
  }
}
