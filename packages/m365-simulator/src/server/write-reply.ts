import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '@holdfast/foundation/clock';
import { wantsNoMetadata, withoutMetadata } from '../http/odata-none.ts';
import { type JsonBody, jsonBytes, type Reply, type TransportFault } from '../http/reply.ts';
import { readBody } from '../calls/read-body.ts';

/** An answer and where it goes; `headers` are names and values in turn. */
export interface Outgoing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: string[];
  readonly reply: Reply;
}

const compress = promisify(gzip);
const GRAPH_JSON = 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8';
const PLAIN_JSON = 'application/json; charset=utf-8';
/** Smaller answers are not worth compressing. */
const GZIP_FROM_BYTES = 1400;
const TEXT_UP_TO = 8192;

function jsonType(headers: readonly string[], isBare: boolean): string {
  if (!headers.includes('OData-Version')) return PLAIN_JSON;
  return isBare ? GRAPH_JSON.replace('minimal', 'none') : GRAPH_JSON;
}

function send(outgoing: Outgoing, headers: readonly string[], data?: Uint8Array | string): void {
  const { response, reply } = outgoing;
  const all = outgoing.headers;
  for (const name in reply.headers) all.push(name, reply.headers[name] ?? '');
  all.push(...headers);
  response.writeHead(reply.status, all);
  response.end(data);
}

/** Short answers as text: head and body then go out as one record of TLS. */
function bodyOf(json: JsonBody): Buffer | string {
  if (Buffer.isBuffer(json)) return json;
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return text.length > TEXT_UP_TO ? Buffer.from(text) : text;
}

async function writeJson(outgoing: Outgoing, json: JsonBody): Promise<void> {
  const isBare = wantsNoMetadata(outgoing.request.headers.accept);
  const data = bodyOf(isBare ? withoutMetadata(json) : json);
  const sizeBytes = Buffer.byteLength(data);
  const accepted = outgoing.request.headers['accept-encoding'];
  const type = ['Content-Type', jsonType(outgoing.headers, isBare)];
  if (sizeBytes < GZIP_FROM_BYTES || typeof accepted !== 'string' || !/\bgzip\b/u.test(accepted)) {
    send(outgoing, [...type, 'Content-Length', String(sizeBytes)], data);
    return;
  }
  const packed = await compress(data, { level: 1 });
  send(outgoing, [...type, 'Content-Encoding', 'gzip', 'Content-Length', String(packed.byteLength)], packed);
}

/** Resolves when the client has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}

/** Writes a stream with back-pressure. Stops when the client goes. */
async function writeStream(response: ServerResponse, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of bytes) {
    if (response.destroyed) return;
    if (!response.write(part)) await drained(response);
  }
  response.end();
}

/** Sends a reply. Bytes that come as a stream are sent as they come, with back-pressure. */
export async function writeReply(outgoing: Outgoing): Promise<void> {
  const { reply, response } = outgoing;
  if (reply.json !== undefined) {
    await writeJson(outgoing, reply.json);
    return;
  }
  if (!reply.body) {
    send(outgoing, reply.status === 204 || reply.status === 304 ? [] : ['Content-Length', '0']);
    return;
  }
  const { bytes, contentType, sizeBytes } = reply.body;
  if (bytes instanceof Uint8Array) {
    send(outgoing, ['Content-Type', contentType, 'Content-Length', String(bytes.byteLength)], bytes);
    return;
  }
  const length = sizeBytes === undefined ? [] : ['Content-Length', String(sizeBytes)];
  response.writeHead(reply.status, [
    ...outgoing.headers,
    ...Object.entries(reply.headers ?? {}).flat(),
    'Content-Type',
    contentType,
    ...length,
  ]);
  await writeStream(response, bytes);
}

/** The whole body of a reply that a fault is going to spoil. */
async function wholeBody(reply: Reply): Promise<{ readonly data: Buffer; readonly contentType: string }> {
  if (reply.json !== undefined) return { data: jsonBytes(reply.json), contentType: GRAPH_JSON };
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

async function writeSlowly(response: ServerResponse, data: Buffer, bytesPerSecond: number, clock: Clock): Promise<void> {
  const step = Math.max(1, Math.floor(bytesPerSecond / 4));
  for (let at = 0; at < data.byteLength && !response.destroyed; at += step) {
    await write(response, data.subarray(at, at + step));
    await clock.sleep(250);
  }
  response.end();
}

/** How much of a body goes out before the connection ends: never all of it, unless the reset comes after. */
function sentShare(fault: TransportFault): number {
  if (fault.do === 'truncate') return Math.min(0.999, fault.share);
  return fault.do === 'reset' && fault.when === 'after' ? 1 : 0.5;
}

export interface Spoilt extends Omit<Outgoing, 'request'> {
  readonly fault: TransportFault;
  readonly clock: Clock;
}

/** Sends an answer as a bad network would: cut, short, or slowly. */
export async function writeSpoilt({ response, headers, reply, fault, clock }: Spoilt): Promise<void> {
  if (fault.do === 'reset' && fault.when === 'before') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { data, contentType } = await wholeBody(reply);
  const own = Object.entries(reply.headers ?? {}).flat();
  response.writeHead(reply.status, [...headers, ...own, 'Content-Type', contentType, 'Content-Length', String(data.byteLength)]);
  response.flushHeaders();
  if (fault.do === 'slow') {
    await writeSlowly(response, data, fault.bytesPerSecond, clock);
    return;
  }
  const sent = Math.floor(data.byteLength * sentShare(fault));
  if (sent > 0) await write(response, data.subarray(0, sent));
  if (fault.do === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.end();
}
