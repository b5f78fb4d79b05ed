import { Worker } from 'node:worker_threads';
import type { Clock } from '@holdfast/foundation/clock';
import type { PdfProblem } from './pdf-check.ts';
import type { PdfQuestion } from './pdf-check.thread.ts';

const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;
const TIME_LIMIT_MS = 5_000;

/** Checks a file in a thread of its own: one that exhausts memory or time is refused and harms nothing else. */
export async function checkPdf(clock: Clock, question: PdfQuestion): Promise<PdfProblem | undefined> {
  const thread = new Worker(new URL('./pdf-check.thread.ts', import.meta.url), { resourceLimits: LIMITS, workerData: question });
  const answer = Promise.withResolvers<PdfProblem | undefined>();
  const refuse = (): void => answer.resolve('content-mismatch');
  const cancel = clock.after(TIME_LIMIT_MS, refuse);
  thread.once('message', (problem: PdfProblem | null) => answer.resolve(problem ?? undefined));
  thread.once('error', refuse).once('exit', refuse);
  try {
    return await answer.promise;
  } finally {
    cancel();
    await thread.terminate();
  }
}
