import { channel } from 'node:diagnostics_channel';
import { once } from '@holdfast/foundation/streams';
import type { RequestLog } from './request-log.ts';
import { metadata } from '../batch/metadata.ts';
import { errorReply } from '../http/error-reply.ts';
import { denied, Failure, fail } from '../http/failure.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { jsonBytes, type Reply, sizeOf } from '../http/reply.ts';
import type { Caller, InnerReply, InnerRequest, RouteEntry } from '../http/route.ts';
import type { Host } from '../http/host.ts';
import type { Match } from '../http/router.ts';
import { appsOf } from '../login/apps.ts';
import { placesOf } from '../places/places.ts';
import type { Sessions } from '../login/sessions.ts';
import type { Tenant } from '../state/tenant.ts';
import { bucketsOf } from '../limits/buckets.ts';
import { withCanonicalEnums } from '../validation/canonical-enums.ts';
import { resolvePath } from '../validation/resolve-path.ts';
import { packagedSchema } from '../validation/schema.ts';
import { createCheckNames } from './check-names.ts';
import { type Call, createContext } from '../calls/create-context.ts';
import { countedOf } from './create-gate.ts';
import { decide, type Gate } from '../calls/gate.ts';
import { readBody } from '../calls/read-body.ts';
import type { Simulation } from './simulation.ts';
import { openSigned } from './open-signed.ts';

/** Answers calls to Graph and to the pre-authenticated hosts. Never throws. */
export interface Pipeline {
  handle(call: Call): Promise<Reply>;
}

export interface PipelineParts {
  readonly sessions: Sessions;
  readonly gate: Gate;
  readonly log: RequestLog;
}

/** Who asks, and what for: known before the handler runs. */
interface Opened {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly claims: Readonly<Record<string, JsonValue>>;
}

interface Trace {
  opened?: Opened;
  match?: Match;
}

function unauthorized(message: string): Failure {
  const headers = { 'WWW-Authenticate': 'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize"' };
  return new Failure(401, 'InvalidAuthenticationToken', message, { headers });
}

function openBearer(sessions: Sessions, header: string | undefined): Opened {
  const token = /^Bearer (.+)$/iu.exec(header ?? '')?.[1];
  if (token === undefined) throw unauthorized('Access token is empty.');
  const session = sessions.open(token);
  if (!session) throw unauthorized('Lifetime validation failed, the token is expired or not valid.');
  if (!session.isForGraph) throw unauthorized('Access token validation failure. Invalid audience.');
  return { tenant: session.tenant, caller: { appId: session.appId, roles: session.roles }, claims: {} };
}

function findRoute(simulation: Simulation, call: Call, host: Host): Match {
  const isVersioned = host === 'graph' && call.address.path.startsWith('/v1.0/');
  const path = isVersioned ? call.address.path.slice('/v1.0'.length) : call.address.path;
  const found = simulation.router.find(host, call.method, path);
  if (!found) {
    const [first = '', ...rest] = path.split('/').filter((segment) => segment !== '');
    const isVersion = first === 'v1.0' || first === 'beta';
    throw fail(400, 'BadRequest', `Resource not found for the segment '${isVersion ? first : (rest.at(-1) ?? first)}'.`);
  }
  if ('methods' in found) {
    const headers = { Allow: found.methods.join(', ') };
    throw new Failure(405, 'Request_BadRequest', 'Specified HTTP method is not allowed for the request target.', { headers });
  }
  return found;
}

/** What a set of roles lacks for a route; the roles of a token are one object, so each is looked up once. */
const lacking = new WeakMap<RouteEntry, WeakMap<ReadonlySet<string>, { readonly role: string | undefined }>>();

function missingRole(simulation: Simulation, route: RouteEntry, roles: ReadonlySet<string>): string | undefined {
  let byRoles = lacking.get(route);
  if (!byRoles) {
    byRoles = new WeakMap();
    lacking.set(route, byRoles);
  }
  let known = byRoles.get(roles);
  if (!known) {
    known = { role: simulation.permissions.missingRole(route, roles) };
    byRoles.set(roles, known);
  }
  return known.role;
}

/** Who asks, with what Exchange grants beside the token: for the mailboxes of its scope, and never for To Do. */
function withExchangeRoles({ permissions }: Simulation, { tenant, caller }: Opened, { route, params }: Match): Caller {
  const { exchange } = appsOf(tenant.store).get(caller.appId) ?? {};
  if (!exchange || route.service !== 'outlook') return caller;
  const owner = tenant.directory.user(params[0] ?? '')?.id ?? '';
  if (!exchange.mailboxes.includes(owner)) return caller;
  const granted = exchange.roles.filter((role) => !role.startsWith('Tasks.'));
  return { ...caller, roles: permissions.closure([...caller.roles, ...granted]) };
}

/** Which site a request is about: by its id, by its address, or as the site of a drive. */
function siteOf({ tenant }: Opened, { route, params }: Match): string | undefined {
  const places = placesOf(tenant);
  const [name = '', path = ''] = params;
  if (route.path === '/sites/{id}:/{path}') return places.site(`${name}:/${path}`)?.id;
  if (route.path.startsWith('/sites/{')) return places.site(name)?.id;
  return route.path.startsWith('/drives/{') ? places.drive(name)?.siteId : undefined;
}

/** Who asks, with what `Sites.Selected` opens: the granted sites and their drives, and no list of sites. */
function withSelectedSites(simulation: Simulation, opened: Opened, match: Match, caller: Caller): Caller {
  const { sites } = appsOf(opened.tenant.store).get(caller.appId) ?? {};
  if (!sites || !caller.roles.has('Sites.Selected')) return caller;
  const asked = siteOf(opened, match);
  const places = placesOf(opened.tenant);
  if (asked === undefined || !sites.names.some((name) => places.site(name)?.id === asked)) return caller;
  return { ...caller, roles: simulation.permissions.closure([...caller.roles, sites.role]) };
}

function checkRoles(simulation: Simulation, match: Match, caller: Caller): void {
  const missing = missingRole(simulation, match.route, caller.roles);
  if (missing === undefined) return;
  const { service } = match.route;
  if (service === 'directory') throw denied(service, 'Insufficient privileges to complete the operation.');
  if (service === 'teams') throw denied(service, `Missing role permissions on the request. API requires one of '${missing}'.`);
  throw denied(service);
}

/** Not described by the metadata itself. */
const OPEN = /\/\$(?:metadata|batch)$/u;

/** Only answers of Graph v1.0 have metadata. */
function isChecked(call: Call): boolean {
  return call.address.kind === 'graph' && !call.address.path.startsWith('/beta') && !OPEN.test(call.address.path);
}

function plainPath(call: Call): string {
  return decodeURIComponent(call.address.path.replace(/^\/v1\.0/u, ''));
}

/** Tells whoever listens in this process of each answer that was checked: so can a test run count them all. */
const checkedAnswers = channel('holdfast.simulator.checked-answers');

/** Holds a JSON answer against the metadata; a violation is logged and kept, the answer goes out as it is. */
function validate(simulation: Simulation, call: Call, reply: Reply): void {
  const { validator } = simulation;
  if (!validator || !isChecked(call) || reply.transport) return;
  const query = new URLSearchParams(call.address.query);
  // A page or delta token keeps what the first request expanded to itself.
  const hasToken = ['$skiptoken', '$deltatoken', 'token'].some((name) => query.has(name));
  const expand = query.get('$expand') ?? (hasToken ? '*' : undefined);
  const json: unknown = Buffer.isBuffer(reply.json) ? reply.json.toString() : reply.json;
  const found = validator.checkResponse({ method: call.method, path: plainPath(call), expand, status: reply.status, json });
  checkedAnswers.publish({ found });
  for (const violation of found) simulation.logger.error({ violation }, 'a response contradicts the metadata');
}

/** Brings a JSON body into the form that handlers know, and refuses what the metadata does not have. */
function bodyReader(simulation: Simulation, call: Call, match: Match): ((body: JsonObject) => JsonObject) | undefined {
  const { validator } = simulation;
  if (!isChecked(call) || match.route.open !== undefined) return undefined;
  return (json) => {
    const path = plainPath(call);
    const schema = packagedSchema();
    const target = resolvePath(schema, path);
    const body = target ? withCanonicalEnums(schema, target, json) : json;
    const problem = validator?.checkRequest({ method: call.method, path, json: body });
    if (problem !== undefined) throw fail(400, 'BadRequest', problem);
    return body;
  };
}

/** An answer as it stands inside a batch: whole, with the headers that matter there. */
async function innerReply(reply: Reply): Promise<InnerReply> {
  if (reply.json !== undefined) {
    return {
      status: reply.status,
      headers: { 'Content-Type': 'application/json', ...reply.headers },
      body: jsonBytes(reply.json),
      isJson: true,
    };
  }
  if (!reply.body) return { status: reply.status, headers: { ...reply.headers }, body: Buffer.alloc(0), isJson: false };
  const { bytes, contentType } = reply.body;
  const body = bytes instanceof Uint8Array ? Buffer.from(bytes) : await readBody(bytes, Number.MAX_SAFE_INTEGER);
  return { status: reply.status, headers: { 'Content-Type': contentType, ...reply.headers }, body, isJson: false };
}

/** JSON as text from here on: it is written once, and its size is known. */
function asText(reply: Reply): Reply {
  const { json } = reply;
  return json === undefined || typeof json === 'string' || Buffer.isBuffer(json) ? reply : { ...reply, json: JSON.stringify(json) };
}

/** Which limit a call counted against first, while limits are on. */
function chargeOf(
  { limiter }: Simulation,
  call: Call,
  { match, opened }: Trace,
): { readonly bucket: string | undefined; readonly cost: number } {
  const [first] = match && opened && limiter.settings.mode === 'real' ? bucketsOf(countedOf({ call, match, ...opened })) : [];
  return { bucket: first?.key, cost: first?.cost ?? 0 };
}

/** Sign-in, route, roles, names in the query, limits, faults, handler, check: in this order, for every call. */
export function createPipeline(simulation: Simulation, parts: PipelineParts): Pipeline {
  const { sessions, gate, log } = parts;
  const checkNames = createCheckNames(packagedSchema());

  async function send(outer: Call, request: InnerRequest): Promise<InnerReply> {
    const at = request.url.indexOf('?');
    const path = at < 0 ? request.url : request.url.slice(0, at);
    const address = { ...outer.address, path, query: at < 0 ? '' : request.url.slice(at + 1) };
    const headers = { ...request.headers, authorization: outer.headers.authorization, 'content-length': String(request.body.byteLength) };
    return innerReply(
      await handle({ method: request.method, address, headers, stream: once(request.body), requestId: outer.requestId, isBatched: true }),
    );
  }

  async function answer(call: Call, trace: Trace): Promise<Reply> {
    if (call.method === 'GET' && call.address.path === '/v1.0/$metadata') return metadata();
    const host = call.address.kind === 'login' ? 'graph' : call.address.kind;
    const opened = host === 'graph' ? openBearer(sessions, call.headers.authorization) : openSigned(simulation, call, host);
    trace.opened = opened;
    const match = findRoute(simulation, call, host);
    trace.match = match;
    const caller = withSelectedSites(simulation, opened, match, withExchangeRoles(simulation, opened, match));
    if (host === 'graph') {
      checkRoles(simulation, match, caller);
      checkNames(call, match);
    }
    const readJson = bodyReader(simulation, call, match);
    return decide(gate, {
      call,
      match,
      tenant: opened.tenant,
      caller,
      make: (effects) => createContext({ call, match, ...opened, caller, effects, readJson, send: (request) => send(call, request) }),
    });
  }

  async function handle(call: Call): Promise<Reply> {
    const trace: Trace = {};
    let reply: Reply;
    try {
      reply = await answer(call, trace);
    } catch (error) {
      if (!(error instanceof Failure)) simulation.logger.error({ err: error, path: call.address.path }, 'a handler failed');
      const clientRequestId = String(call.headers['client-request-id'] ?? call.requestId);
      reply = errorReply(error, { clock: simulation.clock, requestId: call.requestId, clientRequestId });
    }
    validate(simulation, call, reply);
    reply = asText(reply);
    log.add({
      atMs: simulation.clock.nowMs(),
      method: call.method,
      host: call.address.kind,
      path: call.address.path,
      template: trace.match?.route.path,
      tenantId: trace.opened?.tenant.tenantId,
      appId: trace.opened?.caller.appId,
      status: reply.status,
      bytesIn: Number(call.headers['content-length'] ?? 0),
      bytesOut: sizeOf(reply),
      ...chargeOf(simulation, call, trace),
      isBatched: call.isBatched,
      hasStrayToken: call.address.kind !== 'graph' && call.headers.authorization !== undefined,
    });
    return reply;
  }

  return Object.freeze({ handle });
}
