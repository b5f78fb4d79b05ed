import { Worker } from 'node:worker_threads';
import { AppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import type { ParseAnswer, ParsedMail } from './parsed-mail.ts';

const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 } as const;
const TIME_LIMIT_MS = 30_000;
const THREADS = 2;

/** Takes messages apart in threads of its own: a message that breaks one fails alone. */
export interface MimeParser {
  /** `restore.unreadable` when the message can't be parsed within the limits. */
  parse(raw: Uint8Array): Promise<ParsedMail>;
  close(): Promise<void>;
}

function unreadable(problem: string): AppError {
  return new AppError('restore.unreadable', { message: `A message could not be parsed: ${problem}` });
}

/** A thread that takes one message apart at a time; it starts with the first and is replaced when it dies. */
function createParsingThread(clock: Clock): MimeParser {
  let worker: Worker | undefined;
  let nextId = 0;

  async function close(): Promise<void> {
    const dying = worker;
    worker = undefined;
    await dying?.terminate();
  }

  async function parse(raw: Uint8Array): Promise<ParsedMail> {
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
      await close();
      throw error;
    } finally {
      cancelTimer();
      thread.unref();
      thread.off('message', onMessage).off('error', onFailure).off('exit', onFailure);
    }
  }

  return { parse, close };
}

/** A parser of two threads: while one answers, the other works. Who parses one message after the other uses one. */
export function createMimeParser(clock: Clock): MimeParser {
  const turn = createSemaphore(THREADS);
  const threads: MimeParser[] = [];
  const free: MimeParser[] = [];

  function start(): MimeParser {
    const thread = createParsingThread(clock);
    threads.push(thread);
    return thread;
  }

  return {
    parse: (raw) =>
      turn.run(async () => {
        const thread = free.pop() ?? start();
        try {
          return await thread.parse(raw);
        } finally {
          free.push(thread);
        }
      }),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
