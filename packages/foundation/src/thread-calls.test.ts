import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { answerCalls, startThread } from './thread-calls.ts';

/** A thread that answers with what it was asked, and ends or fails when it is told so. */
const ECHO = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ ticket, request }) => {
      if (request === 'end') process.exit(0);
      if (request === 'throw') throw new Error('the thread is broken');
      if (request === 'nobody') parentPort.postMessage({ ticket: -1, result: 'asked by nobody' });
      if (request.code) parentPort.postMessage({ ticket, failure: { message: 'no', code: request.code, details: { object: 'packs/a' } } });
      else if (request === 'plain') parentPort.postMessage({ ticket, failure: { message: 'plain' } });
      else parentPort.postMessage({ ticket, result: request });
    });`)}`,
);

const options = { limits: {}, ended: (why: string) => new AppError('vault.writer-closed', { message: why }) };

describe('calls into a thread', () => {
  it('come back with their own answers, failures as they were thrown', async () => {
    const thread = startThread<unknown>(ECHO, options);
    expect(await Promise.all([1, 2, 'nobody'].map((request) => thread.ask(request)))).toEqual([1, 2, 'nobody']);
    await expect(thread.ask({ code: 'vault.damaged' })).rejects.toMatchObject({ code: 'vault.damaged', details: { object: 'packs/a' } });
    await expect(thread.ask('plain')).rejects.toThrow('plain');
    await thread.close();
    await expect(thread.ask(3)).rejects.toMatchObject({ code: 'vault.writer-closed' });
  });

  it('fail when the thread ends or breaks, those that come later too', async () => {
    const ending = startThread<unknown>(ECHO, options);
    await expect(ending.ask('end')).rejects.toMatchObject({ code: 'vault.writer-closed' });
    await expect(ending.ask(1)).rejects.toMatchObject({ code: 'vault.writer-closed' });
    const breaking = startThread<unknown>(ECHO, options);
    await expect(breaking.ask('throw')).rejects.toThrow('the thread is broken');
    await expect(breaking.ask(1)).rejects.toThrow('the thread is broken');
    await Promise.all([ending.close(), breaking.close()]);
  });
});

it('a thread answers each call, and says what failed with code and details', async () => {
  const { port1, port2 } = new MessageChannel();
  const failures: { readonly [request: string]: unknown } = {
    typed: new AppError('vault.damaged', { message: 'It is damaged.', details: { object: 'a' } }),
    plain: new Error('plain'),
    odd: 'no error at all',
  };
  answerCalls<string>(port2, (request) => {
    if (request in failures) throw failures[request];
    return { result: request.toUpperCase(), transfer: [] };
  });
  const answers: unknown[] = [];
  const done = new Promise<void>((resolve) => {
    port1.on('message', (answer) => {
      if (answers.push(answer) === 4) resolve();
    });
  });
  for (const [ticket, request] of ['ok', 'typed', 'plain', 'odd'].entries()) port1.postMessage({ ticket, request });
  await done;
  expect(answers).toEqual([
    { ticket: 0, result: 'OK' },
    { ticket: 1, failure: { message: 'It is damaged.', code: 'vault.damaged', details: { object: 'a' } } },
    { ticket: 2, failure: { message: 'plain' } },
    { ticket: 3, failure: { message: 'no error at all' } },
  ]);
  port1.close();
});
