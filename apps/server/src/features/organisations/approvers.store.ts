import type { Tx } from '@holdfast/database';
import { approverRoles, lossEndsAt, standings, type Entitlement, type Standing } from './approvers.policy.ts';

/** Somebody who may ask for approvals, whether they may give them, and how they are told by mail. */
export interface Approver extends Entitlement, Standing {
  readonly email: string;
  readonly language: 'en' | 'de';
}

export interface Approvers {
  readonly people: readonly Approver[];
  /** Until when nobody may count on having nobody to ask, because an approver's rights were taken away. */
  readonly lossEndsAt: Date | null;
}

/** Reads who may approve at a moment, in the caller's transaction. */
export type ReadApprovers = (tx: Tx, at: Date) => Promise<Approvers>;

export function createApproverReader(days: number): ReadApprovers {
  return async (tx, at) => {
    const rows = await tx
      .selectFrom('memberships')
      .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
      .select([
        'accounts.id as accountId',
        'accounts.email',
        'accounts.language',
        'memberships.role',
        'memberships.entitled_since as entitledSince',
        'memberships.entitled_by as entitledBy',
        'memberships.confirmed_at as confirmedAt',
      ])
      .where('memberships.role', 'in', approverRoles)
      .where('memberships.joined_at', 'is not', null)
      .where('memberships.disabled_at', 'is', null)
      .where((where) => where.or([where('memberships.ends_at', 'is', null), where('memberships.ends_at', '>', at)]))
      .where('accounts.disabled_at', 'is', null)
      .execute();
    const organisation = await tx.selectFrom('organisations').select('approver_left_at').executeTakeFirst();
    const rules = { days, leftAt: organisation?.approver_left_at ?? null, at };
    const people = standings(rows, rules).toSorted((one, other) => one.email.localeCompare(other.email));
    return { people, lossEndsAt: lossEndsAt(rules) };
  };
}

/** Remembers that somebody took an approver's rights away. */
export async function noteApproverLeft(tx: Tx, at: Date): Promise<void> {
  await tx.updateTable('organisations').set({ approver_left_at: at }).execute();
}

/** Writes down that another owner stands by an approver. */
export async function confirmApprover(tx: Tx, accountId: string, confirmed: { readonly by: string; readonly at: Date }): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ confirmed_at: confirmed.at, confirmed_by: confirmed.by })
    .where('account_id', '=', accountId)
    .execute();
}
