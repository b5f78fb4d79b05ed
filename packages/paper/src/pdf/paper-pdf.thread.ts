import type { Drawing, Paper } from '@holdfast/contract/paper';
import { parentPort, workerData } from 'node:worker_threads';
import { drawPicture } from '../draw/picture.ts';
import { paperPdf, type PdfOptions } from './paper-pdf.ts';

/** What the thread is started with. */
export type PrintOrder =
  | { readonly kind: 'paper'; readonly paper: Paper; readonly options: PdfOptions }
  | { readonly kind: 'picture'; readonly drawing: Drawing };

const order = workerData as PrintOrder;
const file = order.kind === 'paper' ? await paperPdf(order.paper, order.options) : drawPicture(order.drawing);
parentPort?.postMessage(new Uint8Array(file));
