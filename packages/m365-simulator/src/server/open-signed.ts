import { fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import type { Caller } from '../http/route.ts';
import type { Host } from '../http/host.ts';
import { openHs256, readJwt } from '../login/jwt.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Call } from '../calls/create-context.ts';
import { pathMark, tokenParameters } from '../calls/create-links.ts';
import type { Simulation } from './simulation.ts';

type SignedHost = Exclude<Host, 'graph'>;

interface OpenedLink {
  readonly tenant: Tenant;
  readonly claims: JsonObject;
}

function readLink(simulation: Simulation, call: Call, host: SignedHost): OpenedLink {
  const text = new URLSearchParams(call.address.query).get(tokenParameters[host]) ?? '';
  const token = readJwt(text);
  const tenantId = token?.claims['tid'];
  const tenant = typeof tenantId === 'string' ? simulation.tenants.get(tenantId) : undefined;
  const claims = token && tenant ? openHs256(tenant.key, token) : undefined;
  if (!tenant || !claims) throw fail(401, 'unauthenticated', 'The caller is not authenticated.');
  return { tenant, claims };
}

/** Opens a pre-authenticated link: its token names the tenant and the app, and is bound to host, path and time. */
export function openSigned(
  simulation: Simulation,
  call: Call,
  host: SignedHost,
): { readonly tenant: Tenant; readonly caller: Caller; readonly claims: Readonly<Record<string, JsonValue>> } {
  const { tenant, claims } = readLink(simulation, call, host);
  if (claims['mark'] !== pathMark(call.address.path) || claims['host'] !== host)
    throw fail(401, 'unauthenticated', 'The link opens another item.');
  const { exp, st, app } = claims;
  if (typeof exp !== 'number' || exp * 1000 <= simulation.clock.nowMs()) {
    throw st === 404
      ? fail(404, 'itemNotFound', 'The upload session was not found.')
      : fail(401, 'unauthenticated', 'The link has expired.');
  }
  if (call.headers.authorization !== undefined && tenant.switches.refuseBearerOnSignedHosts) {
    throw fail(401, 'unauthenticated', 'Send no Authorization header to this address.');
  }
  const carried = isJsonObject(claims['claims']) ? (claims['claims'] as Readonly<Record<string, JsonValue>>) : {};
  return { tenant, caller: { appId: typeof app === 'string' ? app : '', roles: new Set() }, claims: carried };
}
