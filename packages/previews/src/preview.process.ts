import { Worker } from 'node:worker_threads';
import { answerQuestions } from '@holdfast/foundation/killable-process';
import { drawPage } from './draw-page.ts';

/** The drawing side, in a process of its own. Pixels are no part of the heap, so a thread watches what all of it takes. */
new Worker(new URL('./memory-guard.thread.ts', import.meta.url), { workerData: Number(process.argv[2]) }).unref();
answerQuestions(drawPage);
