import type { Block, Paper } from '@holdfast/contract/paper';
import { openSheet, type Sheet, type TextStyle } from './sheet.ts';
import { writeTable } from './table.ts';

export interface PdfOptions {
  /** The same paper with the same time is the same file, byte for byte. */
  readonly madeAt: Date;
  readonly organisation: string;
  /** Where links lead: the address of the portal. */
  readonly publicUrl: string;
}

type Figures = Extract<Block, { kind: 'figures' }>['figures'];
type Address = (link: string) => string;

const PER_ROW = 4;
const TILE = 44;
const VERDICT_STATE: TextStyle = { size: 12, font: 'bold' };
const VERDICT_TEXT: TextStyle = { size: 10.5 };

function writeFigures(sheet: Sheet, figures: Figures, address: Address): void {
  const width = sheet.width / PER_ROW;
  for (let first = 0; first < figures.length; first += PER_ROW) {
    sheet.need(TILE);
    for (const [at, { label, value, link }] of figures.slice(first, first + PER_ROW).entries()) {
      const x = sheet.left + at * width;
      sheet.text(value, { x, y: sheet.y, width: width - 8, size: 15, font: 'bold', ink: 'brand' });
      sheet.text(label, { x, y: sheet.y + 20, width: width - 8, size: 8, ink: 'quiet' });
      if (link !== undefined) sheet.link({ x, y: sheet.y, width: width - 8, height: TILE - 6 }, address(link));
    }
    sheet.y += TILE;
  }
}

function writeChart(sheet: Sheet, { title, drawing, link }: Extract<Block, { kind: 'chart' }>, address: Address): void {
  const scale = Math.min(1, sheet.width / drawing.width);
  sheet.need(drawing.height * scale + 24);
  sheet.paragraph(title, { size: 10, font: 'bold' }, 6);
  if (link !== undefined)
    sheet.link({ x: sheet.left, y: sheet.y, width: drawing.width * scale, height: drawing.height * scale }, address(link));
  const at = (x: number, y: number): [number, number] => [sheet.left + x * scale, sheet.y + y * scale];
  for (const shape of drawing.shapes) {
    if (shape.kind === 'line') {
      sheet.line(at(shape.fromX, shape.fromY), at(shape.toX, shape.toY), shape.ink);
      continue;
    }
    const [x, y] = at(shape.x, shape.y);
    if (shape.kind === 'rect') sheet.rect({ x, y, width: shape.width * scale, height: shape.height * scale }, shape.ink);
    else {
      const room = 260;
      const shift = { start: 0, middle: room / 2, end: room }[shape.anchor];
      const align = ({ start: 'left', middle: 'center', end: 'right' } as const)[shape.anchor];
      sheet.text(shape.text, {
        x: x - shift,
        y: y - shape.size * scale * 0.95,
        width: room,
        size: shape.size * scale,
        ink: shape.ink,
        align,
      });
    }
  }
  sheet.y += drawing.height * scale + 12;
}

function writeList(sheet: Sheet, items: Extract<Block, { kind: 'list' }>['items'], address: Address): void {
  for (const { text, link } of items) {
    const top = sheet.y;
    sheet.paragraph(`•  ${text}`, { size: 10 }, 4);
    if (link !== undefined && sheet.y > top)
      sheet.link({ x: sheet.left, y: top, width: sheet.width, height: sheet.y - top }, address(link));
  }
  sheet.y += 6;
}

function writeBlock(sheet: Sheet, block: Block, address: Address): void {
  if (block.kind === 'text') sheet.paragraph(block.text, { size: 10 }, 8);
  else if (block.kind === 'figures') writeFigures(sheet, block.figures, address);
  else if (block.kind === 'list') writeList(sheet, block.items, address);
  else if (block.kind === 'chart') writeChart(sheet, block, address);
  else writeTable(sheet, block, address);
}

/** The verdict in a box with a bar in its colour: the state in bold, the sentence below it. */
function writeVerdict(sheet: Sheet, { ink, state, text }: Paper['verdict']): void {
  const x = sheet.left + 14;
  const width = sheet.width - 14;
  const [head, body] = [sheet.height(state, width, VERDICT_STATE), sheet.height(text, width, VERDICT_TEXT)];
  sheet.need(head + body + 14);
  sheet.rect({ x: sheet.left, y: sheet.y, width: 4, height: head + body + 4 }, ink);
  sheet.text(state, { x, y: sheet.y + 1, width, ...VERDICT_STATE });
  sheet.text(text, { x, y: sheet.y + head + 3, width, ...VERDICT_TEXT });
  sheet.y += head + body + 14;
}

function writeHead(sheet: Sheet, { title, subtitle, verdict, facts }: Paper): void {
  sheet.paragraph(title, { size: 22, font: 'bold', ink: 'brand' }, 2);
  sheet.paragraph(subtitle, { size: 12, ink: 'quiet' }, 10);
  writeVerdict(sheet, verdict);
  for (const { label, value } of facts) {
    const height = Math.max(sheet.height(value, sheet.width - 150, { size: 9.5 }), 12);
    sheet.need(height);
    sheet.text(label, { x: sheet.left, y: sheet.y, width: 145, size: 9.5, ink: 'quiet' });
    sheet.text(value, { x: sheet.left + 150, y: sheet.y, width: sheet.width - 150, size: 9.5 });
    sheet.y += height + 3;
  }
  sheet.y += 8;
}

/** A paper as a PDF/A-2b file with embedded fonts. */
export function paperPdf(paper: Paper, { madeAt, organisation, publicUrl }: PdfOptions): Promise<Buffer> {
  const address: Address = (link) => `${publicUrl}${link}`;
  const sheet = openSheet(paper, { madeAt, author: organisation, footer: () => `${organisation} · ${paper.title} · ${paper.subtitle}` });
  writeHead(sheet, paper);
  for (const { title, blocks } of paper.sections) {
    sheet.need(70);
    sheet.y += 6;
    sheet.paragraph(title, { size: 14, font: 'bold', ink: 'brand' }, 6);
    for (const block of blocks) writeBlock(sheet, block, address);
  }
  return sheet.end();
}
