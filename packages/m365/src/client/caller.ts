import { graphError, isGraphError } from '../errors/errors.ts';
import type { CallScope } from './call-scope.ts';
import { asKnown, type Check } from './checks.ts';
import type { Known } from './calls.ts';
import type { WireResponse } from '../http/transport.ts';
import type { Counters } from './request/counters.ts';
import type { GraphCall } from './request/graph-call.ts';
import type { Requester } from './request/requester.ts';
import type { RequesterParts } from './request/requester-parts.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** What typed calls are made of: requests that end in a checked value. */
export interface Caller {
  readonly parts: RequesterParts;
  readonly requester: Requester;
  readonly scope: CallScope;
  /**
   * The whole answer with its JSON, `undefined` when it has none. `inspect` sees it while the request still holds its
   * place, for what must be done before the next one is sent.
   */
  answer(call: GraphCall, inspect?: (answer: Answer) => Promise<void>): Promise<Answer>;
  get<T>(call: GraphCall, check: Check<T>): Promise<T>;
  /** `get` of an object with an id. */
  known<T>(call: GraphCall): Promise<Known<T>>;
  /** `undefined` when nothing is there. */
  find<T>(call: GraphCall, check: Check<T>): Promise<T | undefined>;
  /** A write whose answer does not matter. */
  send(call: GraphCall): Promise<void>;
  /** As `send`; that nothing is there any more is no error. */
  remove(call: GraphCall): Promise<void>;
  /** A small body as bytes; `undefined` when nothing is there. */
  bytes(call: GraphCall, limitBytes: number): Promise<Uint8Array | undefined>;
}

const JSON_LIMIT_BYTES = 256 * 1024 * 1024;

async function readAnswer(response: WireResponse, counters: Counters): Promise<Answer> {
  const bytes = await response.read(JSON_LIMIT_BYTES);
  counters.received(bytes.byteLength);
  const { status, headers } = response;
  if (bytes.byteLength === 0) return { status, headers, value: undefined };
  try {
    return { status, headers, value: JSON.parse(bytes.toString('utf8')) };
  } catch (cause) {
    throw graphError('graph.truncated', { reason: 'no JSON', status }, cause);
  }
}

const isAbsent = (error: unknown): boolean => isGraphError(error, 'graph.item-gone', 'graph.folder-gone');
/** That something has no bytes is for the service to say: an answer without a code is a gateway's, and may be wrong. */
const isSaidAbsent = (error: unknown): boolean => isAbsent(error) && isGraphError(error) && error.details['serviceCode'] !== '';

/** Calls over a requester. */
export function createCaller(parts: RequesterParts, requester: Requester): Caller {
  function answer(call: GraphCall, inspect?: (answer: Answer) => Promise<void>): Promise<Answer> {
    const compressed = { ...call, headers: { 'accept-encoding': 'gzip', ...call.headers } };
    const recovered = (found: unknown): Answer => ({ status: 200, headers: {}, value: found });
    return requester.perform(
      compressed,
      async (response) => {
        const read = await readAnswer(response, parts.counters);
        await inspect?.(read);
        return read;
      },
      recovered,
    );
  }
  async function get<T>(call: GraphCall, check: Check<T>): Promise<T> {
    const { value } = await answer(call);
    try {
      return check(value);
    } catch (error) {
      if (!isGraphError(error, 'graph.unexpected-response')) throw error;
      throw graphError(error.code, { ...error.details, request: call.route });
    }
  }
  async function send(call: GraphCall): Promise<void> {
    await answer(call);
  }
  return Object.freeze({
    parts,
    requester,
    scope: requester.scope,
    answer,
    get,
    known: <T>(call: GraphCall) => get<Known<T>>(call, asKnown),
    async find<T>(call: GraphCall, check: Check<T>) {
      try {
        return await get(call, check);
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    send,
    async remove(call: GraphCall) {
      try {
        await send(call);
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
    },
    async bytes(call: GraphCall, limitBytes: number) {
      try {
        return await requester.perform(call, (response) => response.read(limitBytes));
      } catch (error) {
        if (isSaidAbsent(error)) return undefined;
        throw error;
      }
    },
  });
}
