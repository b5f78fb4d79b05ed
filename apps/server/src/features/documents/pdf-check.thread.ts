import { parentPort, workerData } from 'node:worker_threads';
import { pdfProblem } from './pdf-check.ts';

/** What the thread is started with. */
export interface PdfQuestion {
  readonly bytes: Uint8Array;
  readonly allowsActive: boolean;
}

const { bytes, allowsActive } = workerData as PdfQuestion;
parentPort?.postMessage(pdfProblem(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { allowsActive }) ?? null);
