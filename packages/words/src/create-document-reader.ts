import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@holdfast/foundation/clock';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import type { Document, DocumentPart } from './part/document-part.ts';
import { MOST_BYTES, MOST_HEAP_MB, MOST_MS } from './part/limits.ts';

/** Reads documents in a process of its own: one that breaks it, or takes for ever, fails alone. */
export interface DocumentReader {
  /** The parts of a document, the document itself first. Never throws for what is in it. */
  read(document: Document): Promise<readonly DocumentPart[]>;
  close(): Promise<void>;
}

type Answer = { readonly id: number } & ({ readonly parts: readonly DocumentPart[] } | { readonly problem: string });

export interface DocumentReaderOptions {
  readonly clock: Clock;
  /** How long one document may take. */
  readonly mostMs?: number;
}

const program = fileURLToPath(new URL('./document.process.ts', import.meta.url));

function start(): ChildProcess {
  const flags = [`--max-old-space-size=${MOST_HEAP_MB}`, '--disable-warning=ExperimentalWarning'];
  return fork(program, { execArgv: flags, env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

/** A reader whose process starts with the first document and is replaced when it ends. */
export function createDocumentReader({ clock, mostMs = MOST_MS }: DocumentReaderOptions): DocumentReader {
  const turn = createSemaphore(1);
  let child: ChildProcess | undefined;
  let nextId = 0;

  async function drop(): Promise<void> {
    const dying = child;
    child = undefined;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    const ended = once(dying, 'exit');
    dying.kill('SIGKILL');
    await ended;
  }

  async function ask(document: Document): Promise<readonly DocumentPart[]> {
    child ??= start();
    const reading = child;
    nextId += 1;
    const id = nextId;
    const answer = Promise.withResolvers<readonly DocumentPart[]>();
    const fail = (reason: string): void => answer.reject(new Error(reason));
    const onMessage = (message: Answer): void => {
      if (message.id !== id) return;
      if ('parts' in message) answer.resolve(message.parts);
      else fail(message.problem);
    };
    const onExit = (): void => fail('reading it took more memory than there is for it');
    const cancelTimer = clock.after(mostMs, () => fail('reading it took too long'));
    reading.on('message', onMessage).once('exit', onExit).once('error', onExit);
    reading.send({ id, document }, (error) => error && fail(error.message));
    try {
      return await answer.promise;
    } finally {
      cancelTimer();
      reading.off('message', onMessage).off('exit', onExit).off('error', onExit);
    }
  }

  async function read(document: Document): Promise<readonly DocumentPart[]> {
    const path = [document.name];
    if (document.bytes.byteLength > MOST_BYTES) return [{ path, state: 'tooLarge', text: '', reason: 'it is too large' }];
    try {
      return await ask(document);
    } catch (error) {
      await drop();
      return [{ path, state: 'failed', text: '', reason: error instanceof Error ? error.message : String(error) }];
    }
  }

  return Object.freeze<DocumentReader>({ read: (document) => turn.run(() => read(document)), close: drop });
}
