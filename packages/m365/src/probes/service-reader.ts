import type { Ids } from '@holdfast/foundation/ids';
import { isObject } from '../client/checks.ts';
import type { Transport, WireResponse } from '../http/transport.ts';
import type { TokenSource } from '../sign-in/token-source.ts';
import { NotAsked } from './probe-errors.ts';

/** An answer, as it came. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The code of an error, else empty. */
  readonly code: string;
  readonly message: string;
}

/** Reads from Microsoft 365 and can do nothing else: every request is a GET. */
export interface ServiceReader {
  /** A path below `/v1.0`, or a whole address of Graph as it stands in a link. */
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer>;
  /** Without `Bearer` before the token. */
  getWithBareToken(address: string): Promise<ServiceAnswer>;
  /** An address that carries its own permission. No token goes there. */
  getContent(address: string, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer>;
}

const LIMIT_BYTES = 4 * 1024 * 1024;

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

async function answerOf(response: WireResponse): Promise<ServiceAnswer> {
  const { status, headers } = response;
  const text = (await response.read(LIMIT_BYTES)).toString();
  const json = parsed(text);
  const error = isObject(json['error']) ? json['error'] : {};
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { status, headers, json, text, code: textOf(error['code']), message: textOf(error['message']) };
}

interface Parts {
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly ids: Ids;
  readonly graphUrl: string;
  readonly userAgent: string;
}

/** A reader over the connection and the sign-in of a client. */
export function createServiceReader({ transport, tokens, ids, graphUrl, userAgent }: Parts): ServiceReader {
  async function send(url: URL, headers: Readonly<Record<string, string>>): Promise<ServiceAnswer> {
    const answer = await answerOf(await transport.send({ method: 'GET', url, headers: { 'user-agent': userAgent, ...headers } }));
    const isLimited = answer.status === 429 || answer.status === 503;
    if (isLimited) throw new NotAsked(`the service asks for a pause (${answer.status})`);
    return answer;
  }

  function addressOf(address: string): URL {
    const url = new URL(address.startsWith('https://') ? address : `${graphUrl}/v1.0${address}`);
    if (url.origin !== new URL(graphUrl).origin) throw new NotAsked('the link leads to another host');
    return url;
  }

  async function get(address: string, headers: Readonly<Record<string, string>>, scheme: string): Promise<ServiceAnswer> {
    const token = await tokens.current();
    const own = { authorization: `${scheme}${token.value}`, accept: 'application/json', 'client-request-id': ids.uuid() };
    return send(addressOf(address), { ...own, ...headers });
  }

  return Object.freeze<ServiceReader>({
    get: (address, headers = {}) => get(address, headers, 'Bearer '),
    getWithBareToken: (address) => get(address, {}, ''),
    getContent: (address, headers = {}) => send(new URL(address), headers),
  });
}
