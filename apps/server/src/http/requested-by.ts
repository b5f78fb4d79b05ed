import type { Realm, Scope } from '@holdfast/database';
import type { ResolvedOrganisation } from './ports.ts';
import { scopeOf } from './scope.ts';

interface Requested<Actor, Request> {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly realm: Realm;
  readonly request: Request;
}

/** Who asks, where, and by which request. */
export function requestedBy<Actor, Request>(
  context: Requested<Actor, Request>,
): { readonly actor: Actor; readonly scope: Scope; readonly request: Request } {
  return { actor: context.actor, scope: scopeOf(context), request: context.request };
}
