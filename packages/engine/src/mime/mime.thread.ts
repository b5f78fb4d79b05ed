import { parentPort } from 'node:worker_threads';
import { parseMail } from './parse-mail.ts';
import type { ParseAnswer, ParseRequest } from './parsed-mail.ts';

/** The parsing side: one message at a time; the starter limits time and memory. */
parentPort?.on('message', ({ id, raw }: ParseRequest) => {
  const answer = (message: ParseAnswer): void => parentPort?.postMessage(message);
  parseMail(raw).then(
    (mail) => answer({ id, mail }),
    (error: unknown) => answer({ id, problem: error instanceof Error ? error.message : String(error) }),
  );
});
