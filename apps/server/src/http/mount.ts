import type { Route, Routes } from '@holdfast/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Audience } from '../access/actor.ts';
import { callerAddress } from './caller-address.ts';
import type { HttpApp, MountOptions } from './http-app.ts';
import { authenticate } from './authentication.ts';
import { authorise, refuseKey, refuseProvided, refuseRestricted } from './authorisation.ts';
import type { Answer, Context, Handler, Handlers, ReplyTools, RequestInfo, UploadPart } from './context.ts';
import { createErrorWriter } from './error-writer.ts';
import { isRepeatable, runIdempotently } from './idempotency.ts';
import { languageOf } from './language.ts';
import type { OrganisationReference, ResolvedOrganisation } from './ports.ts';
import { replyTools, type SentExtras } from './reply.ts';
import { sendAnswer } from './send.ts';
import { uploadParts } from './upload.ts';
import { parsePart } from './validation.ts';

/** Base path and audience of a mount. */
export function surfaceOf(
  { basePaths }: Pick<HttpApp, 'basePaths'>,
  options: Pick<MountOptions, 'surface' | 'realm'>,
): { readonly base: string; readonly audience: Audience } {
  if (options.surface === 'legacy' && options.realm === 'production') return { base: basePaths.legacy, audience: 'legacy' };
  const audience = options.realm === 'staging' ? 'staging' : 'main';
  if (options.surface === 'root') return { base: '', audience };
  return { base: basePaths[audience], audience };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The organisation a request names: a tenant, a worker or an abbreviation in the path, on /api also in the query. Never in the body. */
function referenceOf(request: FastifyRequest, surface: MountOptions['surface']): OrganisationReference {
  const params = request.params as Record<string, unknown>;
  const query = request.query as Record<string, unknown>;
  const fromQuery = surface === 'legacy' ? query : {};
  const tenantId = text(params['tenantId']) ?? text(fromQuery['tenantId']);
  const workerIp = text(params['workerIp']) ?? text(fromQuery['workerIp']) ?? text(fromQuery['ip']);
  const abbr = text(params['abbr']);
  return {
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(workerIp === undefined ? {} : { workerIp }),
    ...(abbr === undefined ? {} : { abbr }),
  };
}

interface Mounted {
  readonly app: HttpApp;
  readonly name: string;
  readonly route: Route;
  readonly options: MountOptions;
  readonly audience: Audience;
  readonly handler: Handler<Route>;
}

interface Decided {
  readonly actor: Actor | undefined;
  readonly organisation: ResolvedOrganisation | undefined;
  readonly params: unknown;
}

/** Before the body is read: who is asking, whether the ids are ids, and whether they may. */
async function decide(mounted: Mounted, request: FastifyRequest): Promise<Decided> {
  const { app, route, options } = mounted;
  const language = languageOf(request.headers['accept-language']);
  if (route.action === 'public') {
    return {
      actor: undefined,
      organisation: undefined,
      params: route.params && parsePart(route.params, request.params, { language, part: 'params' }),
    };
  }
  const actor = await authenticate(app.sessions, request, mounted);
  if (options.restricted !== 'allow') refuseRestricted(actor);
  refuseKey(actor, route);
  refuseProvided(actor, route);
  const params = route.params && parsePart(route.params, request.params, { language, part: 'params' });
  const organisation = await authorise(app.organisations, {
    route,
    actor,
    reference: referenceOf(request, options.surface),
    realm: options.realm,
    nowMs: app.clock.nowMs(),
    mustResolve: options.surface === 'legacy',
  });
  return { actor, organisation, params };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly extras: SentExtras;
}

/** What a handler is given. A class, so that what most handlers never ask for is made when it is asked for. */
class RequestContext {
  readonly actor: Actor | undefined;
  readonly organisation: ResolvedOrganisation | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly realm: MountOptions['realm'];
  readonly request: RequestInfo;
  readonly #app: HttpApp;
  readonly #isStream: boolean;
  readonly #exchange: Exchange;
  #aborted: AbortController | undefined;

  constructor({ app, route, options }: Mounted, decided: Decided, exchange: Exchange) {
    const { request } = exchange;
    const language = languageOf(request.headers['accept-language']);
    this.actor = decided.actor;
    this.organisation = decided.organisation;
    this.params = decided.params;
    this.query = route.query && parsePart(route.query, request.query, { language, part: 'query' });
    this.body = route.body && parsePart(route.body, request.body, { language, part: 'body' });
    this.realm = options.realm;
    this.request = {
      id: request.id,
      address: callerAddress(request) ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      language,
      headers: request.headers,
      cookies: request.cookies,
    };
    this.#app = app;
    this.#isStream = route.response === 'events';
    this.#exchange = exchange;
  }

  get reply(): ReplyTools {
    return replyTools(this.#exchange.reply, this.#exchange.extras);
  }

  get signal(): AbortSignal {
    if (!this.#aborted) {
      const own = (this.#aborted = new AbortController());
      const { raw } = this.#exchange.reply;
      raw.once('close', () => {
        if (this.#isStream || !raw.writableFinished) own.abort(new Error('The client has gone.'));
      });
    }
    return this.#aborted.signal;
  }

  readonly upload = (): AsyncIterable<UploadPart> => uploadParts(this.#exchange.request, this.#app.uploads);
}

const DECIDED: unique symbol = Symbol('decided');
type DecidedRequest = FastifyRequest & { [DECIDED]?: Decided };

function register(scope: FastifyInstance, mounted: Mounted, base: string): void {
  const { route, app } = mounted;
  const repeats = isRepeatable(route);
  scope.route({
    method: route.method,
    url: `${base}${route.path}`,
    exposeHeadRoute: false,
    config: { contractRoute: mounted.name },
    onRequest: async (request: DecidedRequest) => {
      request[DECIDED] = await decide(mounted, request);
    },
    handler: async (request: DecidedRequest, reply) => {
      const decided = request[DECIDED] ?? (await decide(mounted, request));
      const extras: SentExtras = {};
      const context = new RequestContext(mounted, decided, { request, reply, extras }) as Context<Route>;
      const run = async (): Promise<unknown> => mounted.handler(context);
      const answer = await (repeats ? runIdempotently({ store: app.idempotency, decided, request, reply }, run) : mounted.handler(context));
      const watch = (onChange: () => void): (() => void) => (decided.actor ? app.sessions.watch(decided.actor, onChange) : () => undefined);
      return sendAnswer({ route, reply, extras, isStrict: app.isStrict, request, clock: app.clock, watch }, answer);
    },
  });
  app.mounted.push({ method: route.method, path: `${base}${route.path}`, name: mounted.name, route, options: mounted.options });
}

/**
 * Mounts the routes of a feature with one handler each. A request is authenticated, authorised and
 * parsed before the handler runs; its answer leaves through the route's schema; whatever it throws
 * becomes a problem document, or what `dialect` makes of it.
 */
export function mount<const R extends Routes>(app: HttpApp, routes: R, handlers: Handlers<R>, options: MountOptions): void {
  const { base, audience } = surfaceOf(app, options);
  app.server.register(async (scope) => {
    scope.setErrorHandler(createErrorWriter({ isStrict: app.isStrict, dialect: options.dialect, routes, base }));
    for (const [name, route] of Object.entries(routes)) {
      const handler = handlers[name as keyof R] as unknown as Handler<Route>;
      register(scope, { app, name, route, options, audience, handler }, base);
    }
  });
}

export type { Answer };
