import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Drawing, PageQuestion } from './drawing.ts';
import { pixelsOf, scaleOf } from './fit.ts';

/** How pictures begin: PNG, JPEG, GIF, BMP, WebP and AVIF. SVG is a program of its own and is not among them. */
const signatures: readonly (readonly [at: number, bytes: string])[] = [
  [0, '\u0089PNG\r\n\u001a\n'],
  [0, '\u00ff\u00d8\u00ff'],
  [0, 'GIF8'],
  [0, 'BM'],
  [8, 'WEBP'],
  [4, 'ftypavif'],
];

/** Whether a file begins like a picture, whatever its name says. */
export function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.some(([at, signature]) => start.startsWith(signature, at));
}

/** Draws a picture no larger than it is: pixels alone, without what else its file holds. Runs where it may be killed. */
export async function drawPicture({ bytes, page, size = 'page' }: PageQuestion): Promise<Drawing> {
  if (page > 1) return { problem: 'no-such-page' };
  try {
    const image = await loadImage(Buffer.from(bytes));
    const { width, height } = pixelsOf(image, Math.min(1, scaleOf(image, size)));
    const canvas = createCanvas(width, height);
    canvas.getContext('2d').drawImage(image, 0, 0, width, height);
    return { drawn: { pages: 1, width, height, picture: await canvas.encode('webp', 90), words: '' } };
  } catch {
    return { problem: 'unreadable' };
  }
}
