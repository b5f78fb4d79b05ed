import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from './clock.ts';
import { createSemaphore } from './concurrency.ts';

/** Why a process was ended, or ended by itself, before it had answered. */
export type Ending = 'time' | 'memory';

/** The process that was asked is gone. What it was asked may be what ended it. */
export class ProcessEnded extends Error {
  readonly ending: Ending;
  /** Nothing had been asked of it before: no earlier question left anything behind. */
  readonly wasFresh: boolean;

  constructor(ending: Ending, wasFresh: boolean) {
    super(ending === 'time' ? 'it took too long' : 'it took more memory than there is for it');
    this.name = 'ProcessEnded';
    this.ending = ending;
    this.wasFresh = wasFresh;
  }
}

/** A program for what strangers may have made: it answers one question at a time, and is ended when one takes too much. */
export interface KillableProcess<Question, Answer> {
  /** The answer; throws `ProcessEnded`, or what the program threw. The next question gets a new process if it has to. */
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

export interface KillableProcessOptions {
  readonly clock: Clock;
  /** A file that calls `answerQuestions`. */
  readonly program: URL;
  readonly arguments?: readonly string[];
  readonly mostMs: number;
  readonly mostHeapMb: number;
  /** Ends a process that nobody has asked for so long; without it, it waits until it is closed. */
  readonly idleMs?: number;
}

/** A process, and how much it was asked. */
interface Running {
  readonly child: ChildProcess;
  asked: number;
}

type Message<Answer> = { readonly id: number } & ({ readonly answer: Answer } | { readonly problem: string });

function start({ program, mostHeapMb, arguments: words = [] }: KillableProcessOptions): ChildProcess {
  const flags = [`--max-old-space-size=${mostHeapMb}`, '--disable-warning=ExperimentalWarning'];
  return fork(program, words, { execArgv: flags, env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Asks a process that runs, and waits no longer than the question may take. */
async function askRunning<Question, Answer>(
  { child, asked: id }: Running,
  question: Question,
  { clock, mostMs }: KillableProcessOptions,
): Promise<Answer> {
  const end = (ending: Ending): void => answered.reject(new ProcessEnded(ending, id === 1));
  const answered = Promise.withResolvers<Answer>();
  const onMessage = (message: Message<Answer>): void => {
    if (message.id !== id) return;
    if ('answer' in message) answered.resolve(message.answer);
    else answered.reject(new Error(message.problem));
  };
  const onExit = (): void => end('memory');
  const cancelTimer = clock.after(mostMs, () => end('time'));
  child.on('message', onMessage).once('exit', onExit).once('error', onExit);
  child.send({ id, question }, (error) => error && answered.reject(error));
  try {
    return await answered.promise;
  } finally {
    cancelTimer();
    child.off('message', onMessage).off('exit', onExit).off('error', onExit);
  }
}

/** A process that starts with the first question and is replaced when it ends. */
export function createKillableProcess<Question, Answer>(options: KillableProcessOptions): KillableProcess<Question, Answer> {
  const { clock, idleMs } = options;
  const turn = createSemaphore(1);
  let running: Running | undefined;
  let cancelIdle: (() => void) | undefined;

  async function drop(): Promise<void> {
    cancelIdle?.();
    const dying = running?.child;
    running = undefined;
    await kill(dying);
  }

  async function ask(question: Question): Promise<Answer> {
    cancelIdle?.();
    if (running?.child.connected !== true) running = { child: start(options), asked: 0 };
    running.asked += 1;
    try {
      return await askRunning<Question, Answer>(running, question, options);
    } catch (error) {
      await drop();
      throw error;
    } finally {
      if (idleMs !== undefined) cancelIdle = clock.after(idleMs, () => void drop());
    }
  }

  return Object.freeze<KillableProcess<Question, Answer>>({ ask: (question) => turn.run(() => ask(question)), close: drop });
}

/** Ends this process when all that it takes exceeds a number of megabytes: what libraries take is no part of the heap. */
export function guardMemory(mostMb: number): void {
  new Worker(new URL('./memory-guard.thread.ts', import.meta.url), { workerData: mostMb }).unref();
}

/** The other side: answers what the starter asks, and ends with it. */
export function answerQuestions<Question, Answer>(answerTo: (question: Question) => Promise<Answer>): void {
  process.on('message', ({ id, question }: { readonly id: number; readonly question: Question }) => {
    const say = (message: object): void => void process.send?.({ id, ...message });
    answerTo(question).then(
      (answer) => say({ answer }),
      (error: unknown) => say({ problem: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
