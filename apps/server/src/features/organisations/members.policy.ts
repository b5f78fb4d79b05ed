import type { Role } from '@holdfast/contract/actions';

/** Whether a change would leave an organisation without an owner who can sign in. */
export function wouldLoseLastOwner(
  owners: readonly string[],
  change: { readonly accountId: string; readonly role?: Role; readonly isLeaving: boolean },
): boolean {
  const isOwner = owners.includes(change.accountId);
  const stays = !change.isLeaving && (change.role === undefined || change.role === 'owner');
  return isOwner && !stays && owners.length === 1;
}
