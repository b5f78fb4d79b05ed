import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Drawing, DrawnPage, PageQuestion, PictureSize } from './drawing.ts';
import { pixelsOf, scaleOf } from './fit.ts';
import { MOST_CHARACTERS, MOST_PAGES } from './limits.ts';

const library = path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
const folder = (name: string): string => path.join(library, name) + path.sep;

/** Nothing of a file acts: no script, form, link or attachment is used, no font of the machine, nothing from a network. */
const options = {
  verbosity: 0,
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  enableXfa: false,
  standardFontDataUrl: folder('standard_fonts'),
  cMapUrl: folder('cmaps'),
  cMapPacked: true,
  wasmUrl: folder('wasm'),
} as const;

async function drawn(page: PDFPageProxy, size: PictureSize): Promise<Pick<DrawnPage, 'width' | 'height' | 'picture'>> {
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: scaleOf(natural, size) });
  const { width, height } = pixelsOf(viewport, 1);
  const canvas = createCanvas(width, height);
  await page.render({ canvas: canvas, viewport }).promise;
  return { width, height, picture: await canvas.encode('webp', 90) };
}

async function wordsOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items
    .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
    .join('')
    .slice(0, MOST_CHARACTERS);
}

async function drawPageOf(pdf: PDFDocumentProxy, number: number, size: PictureSize): Promise<Drawing> {
  const pages = pdf.numPages;
  if (pages > MOST_PAGES) return { problem: 'too-large' };
  if (number > pages) return { problem: 'no-such-page' };
  const page = await pdf.getPage(number);
  return { drawn: { pages, ...(await drawn(page, size)), words: await wordsOf(page) } };
}

/** Draws one page of a PDF file. Runs where it may be killed: a file can be made to take for ever. */
export async function drawPdfPage({ bytes, page, size = 'page' }: PageQuestion): Promise<Drawing> {
  const task = getDocument({ ...options, data: Uint8Array.from(bytes) });
  try {
    return await drawPageOf(await task.promise, page, size);
  } catch (error) {
    return { problem: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'unreadable' };
  } finally {
    await task.destroy();
  }
}
