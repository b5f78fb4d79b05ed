/**
 * Paper: documents as PDF/A files.
 *
 * A paper is data: sections of text, figures, tables and charts. A chart is a drawing of rectangles, lines and texts, made once
 * here; the portal shows it as SVG, the PDF draws the same shapes, and mail
 * carries it as a PNG picture. Fonts come with the package and are embedded.
 */
export { drawBars, drawColumns, type Axis, type BarRow, type ChartColumn, type ChartSeries } from './draw/charts.ts';
export type { PdfOptions } from './pdf/paper-pdf.ts';
export { printPaper, printPicture } from './pdf/print-paper.ts';
