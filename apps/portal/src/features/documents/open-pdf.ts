import { getDocument } from 'unpdf/pdfjs';

/** A PDF file that is drawn page by page. Nothing in it acts: no script, form, link or attachment of the file is used. */
export interface OpenedPdf {
  readonly pages: number;
  /** Draws a page, counted from one, and answers its text for readers who do not see it. */
  draw(page: number, canvas: HTMLCanvasElement): Promise<string>;
  close(): void;
}

/** Pixels that a page takes at most, whatever size it claims to have. */
const WIDEST = 1_600;
const HIGHEST = 2_400;

/** Opens a file in the page itself, whose policy lets no file compile code. Throws for one that is no readable PDF. */
export async function openPdf(file: Blob): Promise<OpenedPdf> {
  const task = getDocument({ data: new Uint8Array(await file.arrayBuffer()), useWasm: false, useWorkerFetch: false, verbosity: 0 });
  const pdf = await task.promise;
  return Object.freeze<OpenedPdf>({
    pages: pdf.numPages,
    async draw(number, canvas) {
      const page = await pdf.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: Math.min(WIDEST / width, HIGHEST / height) });
      canvas.width = Math.floor(viewport.width);
      canvas.height = Math.floor(viewport.height);
      await page.render({ canvas, viewport }).promise;
      const { items } = await page.getTextContent();
      page.cleanup();
      return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    },
    close: () => void task.destroy(),
  });
}
