import type { Ink, Paper } from '@holdfast/contract/paper';
import Pdf from 'pdfkit';
import { SHADES } from '../draw/shades.ts';
import { loadFonts, type FontName } from '../draw/fonts.ts';

const MARGIN = 48;
const FOOTER = 40;

export interface TextStyle {
  readonly size: number;
  readonly font?: FontName;
  readonly ink?: Ink;
  readonly align?: 'left' | 'right' | 'center';
}

export interface TextPlace extends TextStyle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Pages that are filled from top to bottom. */
export interface Sheet {
  readonly left: number;
  readonly width: number;
  /** Where the next block begins. */
  y: number;
  /** Begins a new page when less than this is left of the current one; tells whether it did. */
  need(height: number): boolean;
  height(text: string, width: number, style: TextStyle): number;
  /** Whether a text has room in one line. */
  fits(text: string, width: number, style: TextStyle): boolean;
  text(text: string, place: TextPlace): void;
  /** Writes a paragraph over the whole width and moves on. */
  paragraph(text: string, style: TextStyle, after?: number): void;
  rect(place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }, ink: Ink): void;
  line(from: readonly [number, number], to: readonly [number, number], ink: Ink): void;
  link(place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }, address: string): void;
  end(): Promise<Buffer>;
}

export interface SheetOptions {
  readonly madeAt: Date;
  readonly author: string;
  /** Stands at the foot of every page, with the number of the page. */
  readonly footer: (page: number) => string;
}

function openDocument(paper: Paper, { madeAt, author }: SheetOptions): PDFKit.PDFDocument {
  return new Pdf({
    subset: 'PDF/A-2b',
    pdfVersion: '1.7',
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 },
    autoFirstPage: false,
    lang: paper.language,
    displayTitle: true,
    // The library's own font is not embedded: every text names one of ours.
    font: '',
    info: {
      Title: paper.title,
      Author: author,
      Subject: paper.subtitle,
      Creator: 'Holdfast',
      Producer: 'Holdfast',
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
}

/** Collects what the document writes; nothing is read back, so the pages behind the current one take no room. */
function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  document.on('data', (piece: Buffer) => pieces.push(piece));
  document.on('end', () => resolve(Buffer.concat(pieces)));
  document.on('error', reject);
  return promise;
}

export function openSheet(paper: Paper, options: SheetOptions): Sheet {
  const fonts = loadFonts();
  const document = openDocument(paper, options);
  const written = collect(document);
  for (const name of ['regular', 'bold'] as const) document.registerFont(name, fonts.files[name]);
  let pages = 0;
  const dress = ({ size, font = 'regular', ink = 'text' }: TextStyle): PDFKit.PDFDocument =>
    document.font(font).fontSize(size).fillColor(SHADES[ink]);
  const sheet: Sheet = {
    left: MARGIN,
    width: 0,
    y: 0,
    need(height) {
      if (pages > 0 && sheet.y + height <= document.page.height - FOOTER - MARGIN / 2) return false;
      document.addPage();
      pages += 1;
      const y = document.page.height - FOOTER;
      const half = (document.page.width - 2 * MARGIN) / 2;
      const [left, right] = [options.footer(pages), String(pages)];
      sheet.text(left, { x: MARGIN, y, width: half * 1.8, size: 8, ink: 'quiet' });
      sheet.text(right, { x: MARGIN + half * 1.8, y, width: half * 0.2, size: 8, ink: 'quiet', align: 'right' });
      sheet.y = MARGIN;
      return true;
    },
    fits: (text, width, style) => dress(style).widthOfString(fonts.printable(text)) <= width,
    height: (text, width, style) => dress(style).heightOfString(fonts.printable(text), { width }),
    text(text, { x, y, width, align = 'left', ...style }) {
      dress(style).text(fonts.printable(text), x, y, { width, align, lineBreak: true });
    },
    paragraph(text, style, after = 6) {
      const height = sheet.height(text, sheet.width, style);
      sheet.need(height);
      sheet.text(text, { x: MARGIN, y: sheet.y, width: sheet.width, ...style });
      sheet.y += height + after;
    },
    rect: ({ x, y, width, height }, ink) => void document.rect(x, y, width, height).fill(SHADES[ink]),
    line: (from, to, ink) =>
      void document
        .moveTo(...from)
        .lineTo(...to)
        .lineWidth(0.7)
        .stroke(SHADES[ink]),
    link: ({ x, y, width, height }, address) => void document.link(x, y, width, height, address),
    end() {
      document.end();
      return written;
    },
  };
  sheet.need(0);
  return Object.assign(sheet, { width: document.page.width - 2 * MARGIN });
}
