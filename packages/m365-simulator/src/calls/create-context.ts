import type { IncomingHttpHeaders } from 'node:http';
import { badRequest } from '../http/failure.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { readPreferences } from '../http/preferences.ts';
import { readQuery } from '../http/query.ts';
import type { Caller, Context, Effect, InnerReply, InnerRequest, Method, RouteEntry } from '../http/route.ts';
import type { Match } from '../http/router.ts';
import type { Tenant } from '../state/tenant.ts';
import { createLinks } from './create-links.ts';
import type { Address } from './hosts.ts';
import { parseJson, readBody } from './read-body.ts';

/** A request as it came in, over the wire or inside a batch. */
export interface Call {
  readonly method: string;
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly stream: AsyncIterable<Uint8Array>;
  readonly requestId: string;
  readonly isBatched: boolean;
}

export interface ContextParts {
  readonly call: Call;
  readonly match: Match;
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly claims: Readonly<Record<string, JsonValue>>;
  readonly effects: ReadonlySet<Effect>;
  /** Looks at a JSON body before the handler does, and says what that one gets. */
  readonly readJson: ((body: JsonObject) => JsonObject) | undefined;
  readonly send: (request: InnerRequest) => Promise<InnerReply>;
}

const DEFAULT_BODY_BYTES = 4 * 1024 * 1024;
const SYSTEM_OPTIONS = new Set([
  'select',
  'expand',
  'top',
  'skip',
  'filter',
  'orderby',
  'search',
  'count',
  'skiptoken',
  'deltatoken',
  'format',
]);
const PAGING = new Set(['skiptoken', 'deltatoken']);

const optionsOf = new WeakMap<RouteEntry, ReadonlySet<string>>();

function knownOptions(route: RouteEntry): ReadonlySet<string> {
  let known = optionsOf.get(route);
  if (!known) {
    known = new Set((route.query ?? []).map((name) => name.toLowerCase().replace(/^\$/u, '')));
    optionsOf.set(route, known);
  }
  return known;
}

/** Refuses query options that the route does not know: nothing is silently ignored. */
function checkOptions(context: Context): void {
  if (context.query.names.length === 0) return;
  const known = knownOptions(context.route);
  for (const name of context.query.names) {
    const bare = name.toLowerCase().replace(/^\$/u, '');
    const isSystem = name.startsWith('$') || SYSTEM_OPTIONS.has(bare);
    if (!isSystem || known.has(bare) || PAGING.has(bare)) continue;
    throw badRequest(context.route.service, `The query option '${name}' is not allowed on this resource.`);
  }
}

/** Puts together what a handler gets; throws when the query has an option that the route does not know. */
export function createContext(parts: ContextParts): Context {
  const { call, match, tenant, caller, claims, effects } = parts;
  const { route } = match;
  const body = (limitBytes = DEFAULT_BODY_BYTES): Promise<Buffer> => readBody(call.stream, limitBytes);
  const context: Context = {
    tenant,
    caller,
    route,
    method: call.method as Method,
    params: match.params,
    query: readQuery(call.address.query),
    headers: call.headers,
    prefer: readPreferences(call.headers['prefer']),
    links: createLinks(call.address, tenant, caller.appId),
    claims,
    requestId: call.requestId,
    cast: match.cast,
    stream: call.stream,
    body,
    async json(limitBytes) {
      const value = parseJson(await body(limitBytes), route.service);
      return parts.readJson?.(value) ?? value;
    },
    hasEffect: (effect) => effects.has(effect),
    send: parts.send,
  };
  if (route.host === undefined || route.host === 'graph') checkOptions(context);
  return context;
}
