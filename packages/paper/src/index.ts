/**
 * Paper: documents as PDF/A files.
 *
 * A paper is data: sections of text, figures, tables and charts. A chart is a drawing of rectangles, lines and texts, made
 * here alone; the portal draws its own charts with the same code and shows either as SVG, the PDF draws the same shapes, and mail
 * carries it as a PNG picture. Fonts come with the package and are embedded.
 */
export { byteUnit, drawBars, drawColumns } from './draw/charts.ts';
export type { PdfOptions } from './pdf/paper-pdf.ts';
export { printPaper, printPicture } from './pdf/print-paper.ts';
