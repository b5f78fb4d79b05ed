import { Worker, type MessagePort, type ResourceLimits, type Transferable } from 'node:worker_threads';
import { AppError, type ErrorDetails } from './errors.ts';

type Reply =
  | { readonly ticket: number; readonly result: unknown }
  | { readonly ticket: number; readonly failure: { readonly code?: string; readonly message: string; readonly details?: ErrorDetails } };

/** Calls into a worker thread, answered in any order. The thread keeps the process alive only while it has work. */
export interface ThreadCaller<Request> {
  ask<Result>(request: Request, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Whether it answers no more calls. */
  readonly hasEnded: boolean;
  close(): Promise<void>;
}

function toError(failure: { code?: string; message: string; details?: ErrorDetails }): Error {
  if (failure.code === undefined) return new Error(failure.message);
  return new AppError(failure.code, { message: failure.message, ...(failure.details ? { details: failure.details } : {}) });
}

export interface ThreadOptions {
  /** What the thread finds as its data. */
  readonly settings?: unknown;
  readonly limits: ResourceLimits;
  /** What is thrown at calls that the thread answers no more: it has ended, or was closed. */
  readonly ended: (why: 'ended' | 'closed') => Error;
}

/** Starts `file` (a `.thread.ts`) and gives calls into it. */
export function startThread<Request>(file: URL, { settings, limits, ended: endedBy }: ThreadOptions): ThreadCaller<Request> {
  const worker = new Worker(file, { workerData: settings, resourceLimits: limits });
  worker.unref();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let tickets = 0;
  let ended: Error | undefined;

  function end(error: Error): void {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    worker.unref();
  }

  worker.on('message', (reply: Reply) => {
    const caller = waiting.get(reply.ticket);
    waiting.delete(reply.ticket);
    if (waiting.size === 0) worker.unref();
    if ('failure' in reply) caller?.reject(toError(reply.failure));
    else caller?.resolve(reply.result);
  });
  worker.on('error', (error) => end(error as Error));
  worker.on('exit', () => end(endedBy('ended')));

  return {
    ask<Result>(request: Request, transfer: readonly ArrayBuffer[] = []) {
      if (ended) return Promise.reject<Result>(ended);
      tickets += 1;
      const ticket = tickets;
      return new Promise<Result>((resolve, reject) => {
        waiting.set(ticket, { resolve: resolve as (value: unknown) => void, reject });
        worker.ref();
        worker.postMessage({ ticket, request }, transfer as Transferable[]);
      });
    },
    get hasEnded() {
      return ended !== undefined;
    },
    async close() {
      end(endedBy('closed'));
      await worker.terminate();
    },
  };
}

/** Answers calls in a worker thread with `answer`, which gives the result and the memory to hand over. */
export function answerCalls<Request>(
  port: MessagePort | null,
  answer: (request: Request) => { readonly result: unknown; readonly transfer: ArrayBuffer[] },
): void {
  port?.on('message', ({ ticket, request }: { ticket: number; request: Request }) => {
    try {
      const { result, transfer } = answer(request);
      port.postMessage({ ticket, result }, transfer);
    } catch (error) {
      const { code, details } = error instanceof AppError ? error : {};
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ ticket, failure: { message, ...(code ? { code } : {}), ...(details ? { details } : {}) } });
    }
  });
}
