import { Worker } from 'node:worker_threads';
import { AppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import type { ParseAnswer, ParsedMail } from './parsed-mail.ts';

const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 } as const;
const TIME_LIMIT_MS = 30_000;

/** Takes messages apart in a thread of its own: a message that breaks it fails alone. */
export interface MimeParser {
  /** `restore.unreadable` when the message can't be parsed within the limits. */
  parse(raw: Uint8Array): Promise<ParsedMail>;
  close(): Promise<void>;
}

/** A parser whose thread starts with the first message and is replaced when it dies. */
export function createMimeParser(clock: Clock): MimeParser {
  const turn = createSemaphore(1);
  let worker: Worker | undefined;
  let nextId = 0;

  function unreadable(problem: string): AppError {
    return new AppError('restore.unreadable', { message: `A message could not be parsed: ${problem}` });
  }

  async function drop(): Promise<void> {
    const dying = worker;
    worker = undefined;
    await dying?.terminate();
  }

  async function ask(raw: Uint8Array): Promise<ParsedMail> {
    worker ??= new Worker(new URL('./mime.thread.ts', import.meta.url), { resourceLimits: LIMITS });
    const thread = worker;
    thread.unref();
    nextId += 1;
    const id = nextId;
    const answer = Promise.withResolvers<ParsedMail>();
    const onMessage = (message: ParseAnswer): void => {
      if (message.id !== id) return;
      if ('mail' in message) answer.resolve(message.mail);
      else answer.reject(unreadable(message.problem));
    };
    const onFailure = (error: unknown): void => answer.reject(unreadable(error instanceof Error ? error.message : 'the thread ended'));
    const cancelTimer = clock.after(TIME_LIMIT_MS, () => answer.reject(unreadable('it took too long')));
    thread.on('message', onMessage).once('error', onFailure).once('exit', onFailure);
    thread.ref();
    thread.postMessage({ id, raw });
    try {
      return await answer.promise;
    } catch (error) {
      await drop();
      throw error;
    } finally {
      cancelTimer();
      thread.unref();
      thread.off('message', onMessage).off('error', onFailure).off('exit', onFailure);
    }
  }

  return { parse: (raw) => turn.run(() => ask(raw)), close: drop };
}
