import { type Clock, nowIso } from '@holdfast/foundation/clock';
import { Failure } from './failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Reply } from './reply.ts';

export interface ErrorOrigin {
  readonly clock: Clock;
  readonly requestId: string;
  readonly clientRequestId: string;
}

/** An error in the shape of Graph: code, message, and what support asks for. */
export function errorBody(code: string, message: string, origin: ErrorOrigin, inner?: string): JsonObject {
  const innerError = {
    ...(inner === undefined ? {} : { code: inner }),
    date: nowIso(origin.clock).slice(0, 19),
    'request-id': origin.requestId,
    'client-request-id': origin.clientRequestId,
  };
  return { error: { code, message, innerError } };
}

/** The answer for anything that was thrown. What is not a `Failure` is our own mistake: 500, and the caller logs it. */
export function errorReply(error: unknown, origin: ErrorOrigin): Reply {
  if (!(error instanceof Failure)) {
    return { status: 500, json: errorBody('InternalServerError', 'The simulator failed.', origin) };
  }
  const { headers, inner, isEmpty } = error.options;
  const base = headers ? { status: error.status, headers } : { status: error.status };
  return isEmpty === true ? base : { ...base, json: errorBody(error.code, error.message, origin, inner) };
}
