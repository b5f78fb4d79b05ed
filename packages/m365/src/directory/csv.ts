/** The cells of a line-based table: quotes, doubled quotes, and line breaks inside quotes. */
function readCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index];
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === ',') endCell();
    else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}

/** A report as rows of heading → text. A byte order mark in front is left out; missing cells are empty. */
export function readReport(text: string): Readonly<Record<string, string>>[] {
  const [headings, ...rows] = readCells(text.replace(/^\uFEFF/, ''));
  if (!headings) return [];
  return rows.map((row) => Object.fromEntries(headings.map((heading, column) => [heading, row[column] ?? ''])));
}
