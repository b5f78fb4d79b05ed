import type { Realm, Scope } from '@holdfast/database';
import type { Actor } from '../../access/actor.ts';
import type { RequestInfo } from '../../http/context.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import { scopeOf } from '../../http/scope.ts';
import { deviceCookieOf } from './cookies.ts';
import type { Caller } from './identity-parts.ts';

/** What services may know of a request. */
export function callerOf(request: RequestInfo): Caller {
  const { address, userAgent, id: requestId, language, cookies } = request;
  return { address, userAgent, requestId, language, device: deviceCookieOf(cookies) };
}

/** Who asks a service for something, and within which rows. */
export interface Asking {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly caller: Caller;
}

/** A request for something of an organisation, as its handler gets it. */
export interface AskedOfOrganisation {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly realm: Realm;
  readonly request: RequestInfo;
}

export function askingOf(context: AskedOfOrganisation): Asking {
  return { actor: context.actor, scope: scopeOf(context), caller: callerOf(context.request) };
}
