import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { Download, ServerEvent } from './context.ts';
import { streamEvents } from './events.ts';
import { pickDeclared } from './response.ts';
import type { Sending } from './sending.ts';

/** `Content-Disposition` of a name that may hold anything: an ASCII stand-in and the real one, encoded. */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\u0020-\u007e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function sendDownload(reply: FastifyReply, download: Download): FastifyReply {
  reply.header('content-type', download.mediaType);
  reply.header('content-disposition', attachment(download.fileName));
  reply.header('content-security-policy', 'sandbox');
  reply.header('cross-origin-resource-policy', 'same-origin');
  reply.header('cache-control', 'no-store');
  if (download.sizeBytes !== undefined) reply.header('content-length', String(download.sizeBytes));
  return reply.send(Readable.from(download.content, { objectMode: false }));
}

function sendEmpty(reply: FastifyReply, status: number): FastifyReply {
  if (status === 204) return reply.code(204).send();
  return reply.code(status).header('content-length', '0').send();
}

/** Sends what a handler answered, in the form that its route declares. */
export function sendAnswer(sending: Sending, answer: unknown): FastifyReply | Promise<FastifyReply> {
  const { route, reply, extras } = sending;
  const kind = route.response;
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (kind === 'empty') return sendEmpty(reply, route.status ?? 200);
  if (kind === 'download') return sendDownload(reply.code(route.status ?? 200), answer as Download);
  if (kind === 'events') return streamEvents(sending, answer as AsyncIterable<ServerEvent>);
  const picked = pickDeclared(kind, answer, sending.isStrict);
  if (picked === undefined) return sendEmpty(reply, route.status ?? 200);
  reply.code(route.status ?? 200);
  if (extras.contentType !== undefined && typeof picked === 'string') return reply.header('content-type', extras.contentType).send(picked);
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(picked));
}
