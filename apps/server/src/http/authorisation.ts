import { mayDo, type Action } from '@holdfast/contract/actions';
import { opensToKeys, type Route } from '@holdfast/contract/route';
import type { Realm } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor } from '../access/actor.ts';
import type { OrganisationReference, OrganisationResolver, ResolvedOrganisation } from './ports.ts';

/** Everything a decision needs. */
export interface AccessQuestion {
  readonly route: Route;
  readonly actor: Actor;
  readonly reference: OrganisationReference;
  readonly realm: Realm;
  readonly nowMs: number;
  /** Legacy routes that name neither tenant nor worker mean the organisation last chosen. */
  readonly mustResolve: boolean;
}

/** A session that is not complete yet may do nothing but complete itself. */
export function refuseRestricted(actor: Actor): void {
  if (actor.restriction === 'second-factor') throw new AppError('identity.second-factor-required');
  if (actor.restriction === 'email-not-confirmed') throw new AppError('identity.email-not-confirmed');
}

/** An API key opens what the contract leaves to keys; whether its role does is decided afterwards, as for anybody. */
export function refuseKey({ apiKey }: Actor, route: Route): void {
  if (apiKey !== undefined && !opensToKeys(route)) throw new AppError('access-denied');
}

const CLOSED = { network: 'access.outside-networks', 'second-factor': 'identity.second-factor-required' } as const;

/** A member is told which rule of the organisation is in the way; nobody else learns that it exists. */
function refuseWithheld({ withheld = [] }: Actor, among: (organisationId: string) => boolean): void {
  const closed = withheld.find(({ organisationId }) => among(organisationId));
  if (closed) throw new AppError(CLOSED[closed.because]);
}

/** A provider vouches for people within its organisation: their accounts belong to themselves. */
export function refuseProvided({ isProvided }: Actor, { localOnly }: Route): void {
  if (isProvided === true && localOnly === true) throw new AppError('identity.local-sign-in-required');
}

function mayAnywhere(actor: Actor, action: Action, nowMs: number): boolean {
  return actor.memberships.some((membership) => {
    const current = membershipIn(actor, membership.organisationId, nowMs);
    return current !== undefined && mayDo(current.role, action);
  });
}

/** The candidate that the actor is a member of. */
function memberAmong(candidates: readonly ResolvedOrganisation[], actor: Actor, nowMs: number) {
  for (const found of candidates) {
    const membership = membershipIn(actor, found.organisationId, nowMs);
    if (membership) return { found, membership };
  }
  refuseWithheld(actor, (id) => candidates.some(({ organisationId }) => organisationId === id));
  throw new AppError('not-found');
}

/**
 * Decides a request: deny by default. Not a member of the organisation behind the path: `not-found`,
 * the same answer as for one that does not exist. A member without the right: `access-denied`.
 * Returns the organisation, when the route has one.
 */
export async function authorise(resolver: OrganisationResolver, question: AccessQuestion): Promise<ResolvedOrganisation | undefined> {
  const { route, actor, reference, realm, nowMs } = question;
  if (route.action === 'public' || route.action === 'session') return undefined;
  const isNamed = reference.tenantId !== undefined || reference.workerIp !== undefined || reference.abbr !== undefined;
  if (!isNamed && !question.mustResolve) {
    if (mayAnywhere(actor, route.action, nowMs)) return undefined;
    if (actor.memberships.length === 0) refuseWithheld(actor, () => true);
    throw new AppError('access-denied');
  }
  const candidates = await resolver.resolve(reference, actor, realm);
  const { found, membership } = memberAmong(candidates, actor, nowMs);
  if (!mayDo(membership.role, route.action)) throw new AppError('access-denied');
  return found;
}
