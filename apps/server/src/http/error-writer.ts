import type { Routes } from '@holdfast/contract/route';
import { isErrorCode } from '@holdfast/contract/errors';
import { errorText, isAppError } from '@holdfast/foundation/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from './language.ts';
import { problemOf, type ProblemAnswer } from './problem.ts';
import { isDeclared } from './response.ts';

/** An error as it goes on the wire when a feature words its own. */
export interface WireError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Exactly these bytes; nothing is sent when absent. */
  readonly body?: string;
}

/** Gives an error its own form, or undefined for the usual problem document. */
export type ErrorDialect = (error: unknown, answer: ProblemAnswer, request: FastifyRequest) => WireError | undefined;

/** Sends a problem document with exactly this content type and no charset. */
export function sendProblem(reply: FastifyReply, answer: ProblemAnswer): FastifyReply {
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds));
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('cache-control', 'no-store');
  return reply
    .code(answer.status)
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(JSON.stringify(answer.body)));
}

/**
 * Logs what nobody expected, once, with the request's id. Clients only hear that the database is away;
 * why it is, a full disk for one, is for whoever operates it.
 */
export function logUnexpected(request: FastifyRequest, error: unknown, answer: ProblemAnswer): void {
  if (isAppError(error, 'database.unavailable'))
    request.log.warn({ reason: errorText(error.cause ?? error) }, 'the database took no request');
  if (!answer.isKnown || answer.status === 500) request.log.error({ err: error }, 'request failed');
}

export interface ErrorWriterOptions {
  readonly isStrict: boolean;
  readonly dialect: ErrorDialect | undefined;
  readonly routes: Routes;
  readonly base: string;
}

/** The error handler of one mount. In strict mode a status that the route does not declare becomes `internal`. */
export function createErrorWriter(options: ErrorWriterOptions): (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown {
  return (error, request, reply) => {
    const language = languageOf(request.headers['accept-language']);
    let answer = problemOf(error, language, request.id);
    const name = request.routeOptions.config.contractRoute;
    const route = name === undefined ? undefined : options.routes[name];
    if (options.isStrict && route && isErrorCode(answer.body.code) && !isDeclared(route, answer.status, answer.body.code)) {
      request.log.error({ err: error, route: name, code: answer.body.code }, 'route does not declare this error');
      answer = problemOf(new Error(`${name ?? ''} does not declare ${answer.body.code}`), language, request.id);
    }
    logUnexpected(request, error, answer);
    const own = options.dialect?.(error, answer, request);
    if (!own) return sendProblem(reply, answer);
    for (const [header, value] of Object.entries(own.headers ?? {})) reply.header(header, value);
    if (own.body === undefined) return reply.code(own.status).header('content-length', '0').send();
    return reply.code(own.status).send(Buffer.from(own.body));
  };
}
