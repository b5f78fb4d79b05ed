import { mayDo } from '@holdfast/contract/actions';
import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor } from '../../access/actor.ts';

export interface ChosenScopeParts {
  readonly clock: Clock;
  /** The organisation that somebody chose last. */
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
}

/** The organisation whose tenants somebody may manage: the one that is named, or else the one chosen last. */
export async function managedScope(parts: ChosenScopeParts, actor: Actor, organisationId: string | undefined): Promise<Scope> {
  const wanted = (organisationId ?? (await parts.chosen(actor))) as Scope['organisationId'];
  const membership = membershipIn(actor, wanted, parts.clock.nowMs());
  if (!membership) throw new AppError('not-found');
  if (!mayDo(membership.role, 'tenants.manage')) throw new AppError('access-denied');
  return { organisationId: wanted, realm: actor.realm };
}
