import { liveSignMs } from '@holdfast/contract/limits';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { ServerEvent } from './context.ts';
import type { Sending } from './sending.ts';

/** One event in the text form of the standard. Data is JSON on one line. */
export function eventText(event: ServerEvent): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/**
 * Streams server-sent events until the source ends or the client goes. A slow client holds the
 * source back; a comment every few seconds tells proxies and the portal that the line is alive. When the session ends
 * or a role changes the stream ends too: the client asks again, and is answered as it now may be.
 */
export async function streamEvents(sending: Sending, events: AsyncIterable<ServerEvent>): Promise<FastifyReply> {
  const { reply, clock } = sending;
  const raw = reply.raw;
  reply.hijack();
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  };
  raw.writeHead(200, headers as Record<string, string>);
  raw.write('retry: 3000\n\n');
  const stopKeepAlive = clock.every(liveSignMs, () => raw.write(': still here\n\n'));
  const iterator = events[Symbol.asyncIterator]();
  let stopWatching = (): void => undefined;
  const gone = new Promise<'gone'>((resolve) => {
    raw.once('close', () => resolve('gone'));
    stopWatching = sending.watch(() => resolve('gone'));
  });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), gone]);
      if (next === 'gone' || next.done) break;
      if (!raw.write(eventText(next.value))) await Promise.race([once(raw, 'drain'), gone]);
    }
  } catch (error) {
    sending.request.log.error({ err: error }, 'event stream failed');
  } finally {
    stopKeepAlive();
    stopWatching();
    // Before the source: it may wait for an event that never comes, and ends because the stream has.
    raw.end();
    await iterator.return?.();
  }
  return reply;
}
