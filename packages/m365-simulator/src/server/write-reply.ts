import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Reply, TransportFault } from '../http/reply.ts';
import type { Clock } from '@holdfast/foundation/clock';
import { readBody } from './read-body.ts';

const compress = promisify(gzip);
const JSON_TYPE = 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8';
const PLAIN_JSON_TYPE = 'application/json; charset=utf-8';
/** Smaller answers are not worth compressing. */
const GZIP_FROM_BYTES = 1400;

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = request.headers['accept-encoding'];
  return typeof accepted === 'string' && /\bgzip\b/u.test(accepted);
}

async function writeJson(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  const text = typeof reply.json === 'string' ? reply.json : JSON.stringify(reply.json);
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', response.hasHeader('OData-Version') ? JSON_TYPE : PLAIN_JSON_TYPE);
  const size = Buffer.byteLength(text);
  if (size >= GZIP_FROM_BYTES && acceptsGzip(request)) {
    const data = await compress(text, { level: 1 });
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', data.byteLength);
    response.end(data);
    return;
  }
  response.setHeader('Content-Length', size);
  response.end(text);
}

/** The whole body of a reply that a fault is going to spoil. */
async function wholeBody(reply: Reply): Promise<{ readonly data: Buffer; readonly contentType: string }> {
  if (reply.json !== undefined) return { data: Buffer.from(typeof reply.json === 'string' ? reply.json : JSON.stringify(reply.json)), contentType: JSON_TYPE };
  if (!reply.body) return { data: Buffer.alloc(0), contentType: 'text/plain' };
  const { bytes, contentType } = reply.body;
  const data = bytes instanceof Uint8Array ? Buffer.from(bytes) : await readBody(bytes, Number.MAX_SAFE_INTEGER);
  return { data, contentType };
}

function write(response: ServerResponse, data: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(data, () => resolve());
  });
}

/** Sends an answer as a bad network would: cut, short, or slowly. */
export async function writeSpoilt(response: ServerResponse, reply: Reply, fault: TransportFault, clock: Clock): Promise<void> {
  if (fault.do === 'reset' && fault.when === 'before') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { data, contentType } = await wholeBody(reply);
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', data.byteLength);
  response.flushHeaders();
  if (fault.do === 'slow') {
    const step = Math.max(1, Math.floor(fault.bytesPerSecond / 4));
    for (let at = 0; at < data.byteLength && !response.destroyed; at += step) {
      await write(response, data.subarray(at, at + step));
      await clock.sleep(250);
    }
    response.end();
    return;
  }
  const share = fault.do === 'truncate' ? fault.share : fault.when === 'after' ? 1 : 0.5;
  const sent = Math.min(data.byteLength - (share < 1 ? 1 : 0), Math.floor(data.byteLength * share));
  if (sent > 0) await write(response, data.subarray(0, sent));
  if (fault.do === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.end();
}

/** Sends a reply. Bytes that come as a stream are sent as they come, with back-pressure. */
export async function writeReply(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.json !== undefined) {
    await writeJson(request, response, reply);
    return;
  }
  if (!reply.body) {
    if (reply.status !== 204 && reply.status !== 304) response.setHeader('Content-Length', 0);
    response.end();
    return;
  }
  const { bytes, contentType, sizeBytes } = reply.body;
  response.setHeader('Content-Type', contentType);
  if (bytes instanceof Uint8Array) {
    response.setHeader('Content-Length', bytes.byteLength);
    response.end(bytes);
    return;
  }
  if (sizeBytes !== undefined) response.setHeader('Content-Length', sizeBytes);
  await pipeline(Readable.from(bytes, { objectMode: false, highWaterMark: 1 << 18 }), response);
}
