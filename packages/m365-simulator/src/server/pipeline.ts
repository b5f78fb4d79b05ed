import { errorReply } from '../http/error-reply.ts';
import { Failure, denied, fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { Caller, Context, Effect, Host } from '../http/route.ts';
import type { Match } from '../http/router.ts';
import { openHs256, readJwt } from '../login/jwt.ts';
import type { Sessions } from '../login/sessions.ts';
import type { Tenant } from '../state/tenant.ts';
import { type Call, createContext } from './create-context.ts';
import { pathMark, tokenParameters } from './create-links.ts';
import { decide, type Gate } from './gate.ts';
import type { Simulation } from './simulation.ts';

/** Answers calls to Graph and to the pre-authenticated hosts. Never throws. */
export interface Pipeline {
  handle(call: Call): Promise<Reply>;
}

interface Opened {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly claims: Readonly<Record<string, JsonValue>>;
}

const NOBODY: Caller = { appId: '', roles: new Set() };

function unauthorized(message: string): Failure {
  const headers = { 'WWW-Authenticate': 'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize"' };
  return new Failure(401, 'InvalidAuthenticationToken', message, { headers });
}

function openBearer(sessions: Sessions, header: string | undefined): Opened {
  if (header === undefined) throw unauthorized('Access token is empty.');
  const session = sessions.open(header.replace(/^Bearer /iu, ''));
  if (!session) throw unauthorized('Lifetime validation failed, the token is expired or not valid.');
  return { tenant: session.tenant, caller: { appId: session.appId, roles: session.roles }, claims: {} };
}

/** A signed link: its token names the tenant, and is bound to host, path and time. */
function openSigned(simulation: Simulation, call: Call, host: Exclude<Host, 'graph'>): Opened {
  const text = new URLSearchParams(call.address.query).get(tokenParameters[host]) ?? '';
  const token = readJwt(text);
  const tenant = typeof token?.claims['tid'] === 'string' ? simulation.tenants.get(token.claims['tid']) : undefined;
  const claims = token && tenant ? openHs256(tenant.key, token) : undefined;
  if (!tenant || !claims) throw fail(401, 'unauthenticated', 'The caller is not authenticated.');
  const { mark, exp, claims: carried, host: madeFor, st } = claims;
  if (mark !== pathMark(call.address.path) || madeFor !== host) throw fail(401, 'unauthenticated', 'The link opens another item.');
  if (typeof exp !== 'number' || exp * 1000 <= simulation.clock.nowMs()) {
    throw st === 404
      ? fail(404, 'itemNotFound', 'The upload session was not found.')
      : fail(401, 'unauthenticated', 'The link has expired.');
  }
  if (call.headers.authorization !== undefined && tenant.switches.refuseBearerOnSignedHosts) {
    throw fail(401, 'unauthenticated', 'Send no Authorization header to this address.');
  }
  return { tenant, caller: NOBODY, claims: isJsonObject(carried) ? (carried as Readonly<Record<string, JsonValue>>) : {} };
}

function findRoute(simulation: Simulation, call: Call, host: Host): Match {
  const path = host === 'graph' ? call.address.path.replace(/^\/v1\.0(?=\/)/u, '') : call.address.path;
  const found = simulation.router.find(host, call.method, path);
  if (!found) throw fail(400, 'BadRequest', `Resource not found for the segment '${path.split('/').at(-1) ?? ''}'.`);
  if ('methods' in found) {
    throw new Failure(405, 'Request_BadRequest', 'Specified HTTP method is not allowed for the request target.', {
      headers: { Allow: found.methods.join(', ') },
    });
  }
  return found;
}

function checkRoles(simulation: Simulation, match: Match, caller: Caller): void {
  const missing = simulation.permissions.missingRole(match.route, caller.roles);
  if (missing === undefined) return;
  const { service } = match.route;
  if (service === 'directory') throw denied(service, 'Insufficient privileges to complete the operation.');
  if (service === 'teams') throw denied(service, `Missing role permissions on the request. API requires one of '${missing}'.`);
  throw denied(service);
}

/** Holds a JSON answer against the metadata; a violation is logged and kept, the answer goes out as it is. */
function validate(simulation: Simulation, call: Call, reply: Reply): void {
  const { validator } = simulation;
  if (!validator || call.address.kind !== 'graph' || call.address.path.startsWith('/beta')) return;
  const path = decodeURIComponent(call.address.path.replace(/^\/v1\.0/u, ''));
  const query = new URLSearchParams(call.address.query);
  const hasToken = ['$skiptoken', '$deltatoken', 'token'].some((name) => query.has(name));
  const expand = query.get('$expand') ?? (hasToken ? '*' : undefined);
  const found = validator.checkResponse({ method: call.method, path, expand, status: reply.status, json: reply.json });
  for (const violation of found) simulation.logger.error({ violation }, 'a response contradicts the metadata');
}

function requestCheck(simulation: Simulation, call: Call, match: Match): ((body: JsonObject) => void) | undefined {
  const { validator } = simulation;
  if (!validator || call.address.kind !== 'graph' || call.address.path.startsWith('/beta') || match.route.open !== undefined)
    return undefined;
  return (json) => {
    const path = decodeURIComponent(call.address.path.replace(/^\/v1\.0/u, ''));
    const problem = validator.checkRequest({ method: call.method, path, json });
    if (problem !== undefined) throw fail(400, 'BadRequest', problem);
  };
}

async function run(
  simulation: Simulation,
  parts: { readonly call: Call; readonly match: Match; readonly opened: Opened; readonly gate: Gate },
): Promise<Reply> {
  const { call, match, opened, gate } = parts;
  const make = (effects: ReadonlySet<Effect>): Context =>
    createContext({ call, match, ...opened, effects, checkJson: requestCheck(simulation, call, match) });
  return decide(gate, { call, match, tenant: opened.tenant, caller: opened.caller, make });
}

/** Sign-in, route, roles, limits, faults, handler, check: in this order, for every call. */
export function createPipeline(simulation: Simulation, sessions: Sessions, gate: Gate): Pipeline {
  async function answer(call: Call): Promise<Reply> {
    const host = call.address.kind === 'login' ? 'graph' : call.address.kind;
    const opened = host === 'graph' ? openBearer(sessions, call.headers.authorization) : openSigned(simulation, call, host);
    const match = findRoute(simulation, call, host);
    if (host === 'graph') checkRoles(simulation, match, opened.caller);
    return run(simulation, { call, match, opened, gate });
  }

  return Object.freeze({
    async handle(call: Call) {
      let reply: Reply;
      try {
        reply = await answer(call);
      } catch (error) {
        if (!(error instanceof Failure)) simulation.logger.error({ err: error, path: call.address.path }, 'a handler failed');
        const clientRequestId = String(call.headers['client-request-id'] ?? call.requestId);
        reply = errorReply(error, { clock: simulation.clock, requestId: call.requestId, clientRequestId });
      }
      validate(simulation, call, reply);
      return reply;
    },
  });
}
