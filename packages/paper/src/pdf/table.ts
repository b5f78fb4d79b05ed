import type { TableBlock } from '@holdfast/contract/paper';
import type { Sheet, TextStyle } from './sheet.ts';

const BODY: TextStyle = { size: 8.5 };
const HEAD: TextStyle = { size: 8, font: 'bold' };
const PAD = 4;

interface Cell {
  readonly x: number;
  readonly width: number;
  readonly isNumber: boolean;
}

function cellsOf({ columns }: TableBlock, sheet: Sheet): Cell[] {
  const whole = columns.reduce((total, { width }) => total + width, 0);
  let x = sheet.left;
  return columns.map(({ width, isNumber }) => {
    const cell = { x: x + PAD, width: (width / whole) * sheet.width - 2 * PAD, isNumber };
    x += (width / whole) * sheet.width;
    return cell;
  });
}

const heightOf = (sheet: Sheet, cells: readonly Cell[], texts: readonly string[], style: TextStyle): number =>
  Math.max(...cells.map(({ width }, at) => sheet.height(texts[at] ?? '', width, style))) + 2 * PAD;

function write(sheet: Sheet, cells: readonly Cell[], texts: readonly string[], style: TextStyle): void {
  for (const [at, { x, width, isNumber }] of cells.entries())
    sheet.text(texts[at] ?? '', { x, y: sheet.y + PAD, width, align: isNumber ? 'right' : 'left', ...style });
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** An address that has no room in one line goes on behind its sign, and not in the middle of a name. */
function inLines(sheet: Sheet, cells: readonly Cell[], texts: readonly string[]): readonly string[] {
  return texts.map((text, at) => (ADDRESS.test(text) && !sheet.fits(text, cells[at]?.width ?? 0, BODY) ? text.replace('@', '@\n') : text));
}

/** A table over as many pages as it takes, its head on each of them. */
export function writeTable(sheet: Sheet, table: TableBlock, address: (link: string) => string): void {
  const cells = cellsOf(table, sheet);
  const titles = table.columns.map(({ title }) => title);
  const headHeight = heightOf(sheet, cells, titles, HEAD);
  const under = (y: number): void => sheet.line([sheet.left, y], [sheet.left + sheet.width, y], 'grid');
  const head = (): void => {
    write(sheet, cells, titles, HEAD);
    sheet.y += headHeight;
    under(sheet.y);
  };
  sheet.need(headHeight + 30);
  if (table.title !== '') sheet.paragraph(table.title, { size: 10, font: 'bold' }, 4);
  if (table.rows.length === 0) {
    sheet.paragraph(table.empty, { size: 9, ink: 'quiet' }, 10);
    return;
  }
  sheet.need(headHeight + 24);
  head();
  for (const { cells: given, link, links = [] } of table.rows) {
    const texts = inLines(sheet, cells, given);
    const height = heightOf(sheet, cells, texts, BODY);
    if (sheet.need(height)) head();
    write(sheet, cells, texts, BODY);
    for (const [at, { x, width }] of cells.entries()) {
      const to = links[at] ?? link;
      if (to !== undefined) sheet.link({ x: x - PAD, y: sheet.y, width: width + 2 * PAD, height }, address(to));
    }
    sheet.y += height;
    under(sheet.y);
  }
  sheet.y += 6;
  if (table.more !== undefined) {
    sheet.paragraph(table.more, { size: 8.5, ink: 'quiet' }, 4);
    if (table.moreLink !== undefined)
      sheet.link({ x: sheet.left, y: sheet.y - 16, width: sheet.width, height: 16 }, address(table.moreLink));
  }
  sheet.y += 6;
}
