import type { Drawing, Paper } from '@holdfast/contract/paper';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import { Worker } from 'node:worker_threads';
import type { PdfOptions } from './paper-pdf.ts';
import type { PrintOrder } from './paper-pdf.thread.ts';

const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 } as const;
/** Threads of their own, and never several at once: a report may wait, a request may not. */
const press = createSemaphore(1);

function print(order: PrintOrder): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const thread = new Worker(new URL('./paper-pdf.thread.ts', import.meta.url), { resourceLimits: LIMITS, workerData: order });
  thread.once('message', resolve).once('error', reject);
  // After an answer this rejection finds the promise settled.
  thread.once('exit', () => reject(new Error('The thread ended without a file.')));
  return promise;
}

/** A paper as a PDF/A file, made beside the event loop. */
export function printPaper(paper: Paper, options: PdfOptions): Promise<Uint8Array> {
  return press.run(() => print({ kind: 'paper', paper, options }));
}

/** A drawing as a PNG picture, made beside the event loop. */
export function printPicture(drawing: Drawing): Promise<Uint8Array> {
  return press.run(() => print({ kind: 'picture', drawing }));
}
