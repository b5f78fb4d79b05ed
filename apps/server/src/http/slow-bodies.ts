import type { IncomingMessage } from 'node:http';
import type { Clock } from '@holdfast/foundation/clock';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actorOf } from './authentication.ts';

/** So many bodies of strangers are read at a time, for so long. The rest waits in the kernel, whose buffers are bounded. */
const READ_AT_ONCE = 50;
const TURN_MS = 100;

/**
 * Reads the bodies that strangers are slow to send in turns: a thousand connections that trickle would wake the process thousands of
 * times a second, and everybody would wait behind them. A body that arrives at once is read at once. Register before routes.
 */
export function readSlowBodiesInTurns(
  server: FastifyInstance,
  clock: Clock,
  isStranger = (request: FastifyRequest): boolean => actorOf(request) === undefined,
): void {
  /** In the order in which they were read last. */
  const unfinished = new Set<IncomingMessage>();

  const leave = (body: IncomingMessage): void => {
    if (unfinished.delete(body)) body.socket.resume();
  };
  const stop = clock.every(TURN_MS, () => {
    for (const body of unfinished) {
      if (body.complete) leave(body);
      else body.socket.pause();
    }
    for (const body of [...unfinished].slice(0, READ_AT_ONCE)) {
      unfinished.delete(body);
      unfinished.add(body);
      body.socket.resume();
    }
  });
  // Whose connection is paused is not seen to go away: the process would wait for strangers that are long gone.
  server.addHook('preClose', async () => {
    stop();
    for (const body of unfinished) leave(body);
  });
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw } = request;
    if (!raw.complete && isStranger(request)) {
      unfinished.add(raw);
      raw.once('close', () => leave(raw));
    }
    done(null, payload);
  });
}
