import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas } from '@napi-rs/canvas';
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Drawing, DrawnPage, PageQuestion } from './drawing.ts';
import { MOST_CHARACTERS, MOST_HEIGHT, MOST_PAGES, MOST_WIDTH } from './limits.ts';

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

async function drawn(page: PDFPageProxy): Promise<Pick<DrawnPage, 'width' | 'height' | 'picture'>> {
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(MOST_WIDTH / natural.width, MOST_HEIGHT / natural.height) });
  const width = Math.max(1, Math.floor(viewport.width));
  const height = Math.max(1, Math.floor(viewport.height));
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

async function drawPage(pdf: PDFDocumentProxy, number: number): Promise<Drawing> {
  const pages = pdf.numPages;
  if (pages > MOST_PAGES) return { problem: 'too-large' };
  if (number > pages) return { problem: 'no-such-page' };
  const page = await pdf.getPage(number);
  return { drawn: { pages, ...(await drawn(page)), words: await wordsOf(page) } };
}

/** Draws one page of a PDF file. Runs where it may be killed: a file can be made to take for ever. */
export async function drawPdfPage({ bytes, page }: PageQuestion): Promise<Drawing> {
  const task = getDocument({ ...options, data: Uint8Array.from(bytes) });
  try {
    return await drawPage(await task.promise, page);
  } catch (error) {
    return { problem: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'unreadable' };
  } finally {
    await task.destroy();
  }
}
