import type { Clock } from '@holdfast/foundation/clock';
import { collect } from '@holdfast/foundation/streams';
import { graphError } from '../src/errors/errors.ts';
import type { Transport, WireRequest, WireResponse } from '../src/http/transport.ts';

/** What a scripted service answers. A body that is an iterable may throw to break in the middle. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

export interface ScriptedRequest extends WireRequest {
  /** `GET /v1.0/users/u/…`, decoded, without query. */
  readonly line: string;
  readonly query: URLSearchParams;
  readonly atMs: number;
}

export interface ScriptedTransport extends Transport {
  /** Everything sent except sign-ins. */
  readonly requests: readonly ScriptedRequest[];
  readonly signIns: number;
}

export type Respond = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A connection that broke before an answer came. */
export function connectionLost(): never {
  throw graphError('graph.network', { system: 'ECONNRESET', neverSent: false });
}

export function aToken(roles: readonly string[], serial: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ roles, serial })}.`;
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes.byteLength > 0) yield bytes;
}

function toWire(answer: ScriptedAnswer): WireResponse {
  const { status = 200, headers = {}, json, body = json === undefined ? '' : JSON.stringify(json) } = answer;
  const isFixed = typeof body === 'string' || body instanceof Uint8Array;
  const stream = isFixed ? single(Buffer.from(body)) : body;
  const length: Record<string, string> = isFixed ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  return {
    status,
    headers: { ...length, ...headers },
    body: stream,
    read: (limitBytes) => collect(stream, limitBytes),
    discard: () => undefined,
  };
}

/** A transport that answers from a script, with a sign-in that always succeeds. */
export function createScriptedTransport(options: {
  readonly clock: Clock;
  readonly respond: Respond;
  readonly roles?: readonly string[];
  readonly tokenSeconds?: number;
}): ScriptedTransport {
  const requests: ScriptedRequest[] = [];
  let signIns = 0;
  return {
    requests,
    get signIns() {
      return signIns;
    },
    async send(request) {
      if (request.url.pathname.endsWith('/oauth2/v2.0/token')) {
        signIns += 1;
        const expires = options.tokenSeconds ?? 3599;
        return toWire({
          json: { token_type: 'Bearer', expires_in: expires, ext_expires_in: expires, access_token: aToken(options.roles ?? [], signIns) },
        });
      }
      const scripted: ScriptedRequest = {
        ...request,
        line: `${request.method} ${decodeURIComponent(request.url.pathname)}`,
        query: request.url.searchParams,
        atMs: options.clock.nowMs(),
      };
      requests.push(scripted);
      return toWire(await options.respond(scripted));
    },
    close: () => Promise.resolve(),
  };
}
