import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import { basePaths, bodyMaxBytes, pdfMaxBytes, type BasePaths } from '@holdfast/contract/limits';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Ids } from '@holdfast/foundation/ids';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { logUnexpected, sendProblem } from './error-writer.ts';
import { answerUnknownPaths, type PageHandler } from './unknown-path.ts';
import { languageOf } from './language.ts';
import { problemOf } from './problem.ts';
import { requestLogger } from './request-logger.ts';
import { secure } from './security-headers.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { OrganisationResolver, SessionReader } from './ports.ts';
import type { HttpApp } from './http-app.ts';
import type { UploadLimits } from './upload.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the contract route, for error checks and metrics. */
    contractRoute?: string;
  }
}

export interface HttpAppOptions {
  readonly sessions: SessionReader;
  readonly organisations: OrganisationResolver;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Proxies whose forwarded addresses are believed; none by default. */
  readonly trustedProxies?: readonly string[];
  readonly isStrict?: boolean;
  /** How long a request may take to arrive, for tests; an answer may take longer. */
  readonly requestMs?: number;
  readonly basePaths?: BasePaths;
  /** Pages of the portal. */
  readonly pages?: PageHandler | undefined;
}

/** The largest request is a file of a few megabytes: whoever needs longer only holds a connection. */
const REQUEST_MS = 120_000;
/** Node looks at neither time while this one is longer than the whole. */
const HEADERS_MS = 30_000;
const CHECK_MS = 5_000;

function acceptJson(server: FastifyInstance): void {
  server.removeContentTypeParser(['application/json', 'text/plain']);
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
}

/** Creates the server without routes: parsing, limits, ids and error documents are in place. */
export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const baseLogger: FastifyBaseLogger = options.logger;
  const requestMs = options.requestMs ?? REQUEST_MS;
  const server = Fastify({
    loggerInstance: baseLogger,
    genReqId: () => options.ids.uuid(),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    childLoggerFactory: requestLogger,
    bodyLimit: bodyMaxBytes,
    requestTimeout: requestMs,
    http: { connectionsCheckingInterval: CHECK_MS, headersTimeout: Math.min(HEADERS_MS, requestMs) },
    routerOptions: { maxParamLength: 4_200, caseSensitive: true, ignoreTrailingSlash: false },
    trustProxy: options.trustedProxies && options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    frameworkErrors(error, request, reply) {
      void sendProblem(reply, problemOf(error, languageOf(request.headers['accept-language']), request.id));
    },
  });
  const uploads: UploadLimits = { fileMaxBytes: pdfMaxBytes, files: 1, fields: 5 };
  await server.register(cookie);
  await server.register(multipart);
  acceptJson(server);
  server.addHook('onRequest', (request, reply, done) => {
    secure(reply, request.id);
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const answer = problemOf(error, languageOf(request.headers['accept-language']), request.id);
    logUnexpected(request, error, answer);
    return sendProblem(reply, answer);
  });
  const app: HttpApp = {
    server: server,
    basePaths: options.basePaths ?? basePaths,
    sessions: options.sessions,
    organisations: options.organisations,
    idempotency: options.idempotency,
    uploads,
    clock: options.clock,
    isStrict: options.isStrict ?? false,
    mounted: [],
  };
  answerUnknownPaths(app, options.pages);
  return app;
}
