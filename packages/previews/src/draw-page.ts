import { drawPdfPage } from './draw-pdf-page.ts';
import { drawPicture, isPicture } from './draw-picture.ts';
import type { Drawing, PageQuestion } from './drawing.ts';

/** Draws one page of a file by what it is, not by what it is called. */
export function drawPage(question: PageQuestion): Promise<Drawing> {
  return isPicture(question.bytes) ? drawPicture(question) : drawPdfPage(question);
}
