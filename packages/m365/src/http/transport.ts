import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { collect, type Bytes } from '@holdfast/foundation/streams';
import { Agent, type Dispatcher } from 'undici';
import { graphError } from '../errors/errors.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives. Either this or `read` is used, once. Failures are `graph.network`. */
  readonly body: Bytes;
  /** The whole body, decompressed; `graph.unexpected-response` above the limit. */
  read(limitBytes: number): Promise<Buffer>;
  /** Ends the body without reading it. */
  discard(): void;
}

/** Sends one request and nothing else: no redirects, no repeats. */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly ca?: string;
  readonly connectTimeoutMs?: number;
  /** Until the first byte of an answer. */
  readonly headersTimeoutMs?: number;
  /** Between two pieces of a body. */
  readonly idleTimeoutMs?: number;
}

const unzip = promisify(gunzip);
const MAX_CONNECTIONS_PER_HOST = 128;

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Connection failures prove that the request was never processed; others leave that open. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function networkError(cause: unknown): Error {
  const system = typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown';
  return graphError('graph.network', { system, neverSent: NEVER_SENT.has(system) }, cause);
}

async function* guard(body: Bytes, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of body) yield piece;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw networkError(cause);
  }
}

function toWireResponse(response: Dispatcher.ResponseData, signal: AbortSignal | undefined): WireResponse {
  const headers = flatten(response.headers);
  const body = guard(response.body, signal);
  return {
    status: response.statusCode,
    headers,
    body,
    async read(limitBytes) {
      const raw = await collect(body, limitBytes);
      if (headers['content-encoding'] !== 'gzip') return raw;
      return unzip(raw, { maxOutputLength: limitBytes }).catch((cause: unknown) => {
        throw graphError('graph.truncated', { reason: 'gzip' }, cause);
      });
    },
    discard() {
      response.body.on('error', () => undefined);
      response.body.destroy();
    },
  };
}

/** A transport over a pool of kept-alive TLS connections that trusts `ca`, or the system without it. */
export function createTransport(options: TransportOptions = {}): Transport {
  const agent = new Agent({
    connect: { timeout: options.connectTimeoutMs ?? 10_000, ...(options.ca === undefined ? {} : { ca: options.ca }) },
    connections: MAX_CONNECTIONS_PER_HOST,
    headersTimeout: options.headersTimeoutMs ?? 120_000,
    bodyTimeout: options.idleTimeoutMs ?? 60_000,
    pipelining: 1,
  });
  return Object.freeze({
    async send(request: WireRequest) {
      const { method, url, headers, body, signal } = request;
      try {
        const response = await agent.request({
          method,
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          headers,
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        });
        return toWireResponse(response, signal);
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        throw networkError(cause);
      }
    },
    close: () => agent.destroy(),
  });
}
