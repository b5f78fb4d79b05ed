import type { Paper } from '@holdfast/contract/paper';
import { parentPort, workerData } from 'node:worker_threads';
import { paperPdf, type PdfOptions } from './paper-pdf.ts';

/** What the thread is started with. */
export interface PrintOrder {
  readonly paper: Paper;
  readonly options: PdfOptions;
}

const { paper, options } = workerData as PrintOrder;
parentPort?.postMessage(new Uint8Array(await paperPdf(paper, options)));
