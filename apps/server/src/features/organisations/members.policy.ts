import { roles, type Role } from '@holdfast/contract/actions';

const RANK: Readonly<Record<Role, number>> = { owner: 4, administrator: 3, operator: 2, auditor: 1, reader: 0 };

/** Nobody gives, takes or touches a role above their own. */
export function mayHandleRole(own: Role, other: Role): boolean {
  return RANK[own] >= RANK[other];
}

/** Whether a change would leave an organisation without an owner who can sign in. */
export function wouldLoseLastOwner(
  owners: readonly string[],
  change: { readonly accountId: string; readonly role?: Role; readonly isLeaving: boolean },
): boolean {
  const isOwner = owners.includes(change.accountId);
  const stays = !change.isLeaving && (change.role === undefined || change.role === 'owner');
  return isOwner && !stays && owners.length === 1;
}

/** The roles that somebody may give, highest first. */
export function rolesToGive(own: Role): readonly Role[] {
  return roles.filter((role) => mayHandleRole(own, role));
}
