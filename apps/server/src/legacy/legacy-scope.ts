import type { Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../access/actor.ts';
import type { RequestInfo } from '../http/context.ts';
import type { ResolvedOrganisation } from '../http/ports.ts';

/** A legacy call after its organisation and tenant are known. */
export interface LegacyCall {
  readonly scope: Scope;
  readonly tenantId: string;
  readonly caller: { readonly actor: Actor; readonly scope: Scope; readonly request: RequestInfo };
}

/** Organisation and tenant follow from the chosen worker, or from `?tenantId=`. Without a tenant there is nothing to show. */
export function legacyCall(context: {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly request: RequestInfo;
}): LegacyCall {
  const { organisationId, tenantId } = context.organisation;
  if (tenantId === undefined) throw new AppError('not-found');
  const scope: Scope = { organisationId, realm: 'production' };
  return { scope, tenantId, caller: { actor: context.actor, scope, request: context.request } };
}
