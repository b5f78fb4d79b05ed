import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../../access/actor.ts';
import type { Caller } from '../identity/index.ts';
import { confirmApprover } from './approvers.store.ts';
import type { MemberTarget } from './invitations.service.ts';
import { memberView, type MemberView } from './member-view.ts';
import type { MembersAccess, MembersParts } from './members-access.service.ts';

/** An owner's word for an approver whom somebody else has entitled. */
export interface Confirming {
  confirm(actor: Actor, target: MemberTarget, caller: Caller): Promise<MemberView>;
}

export function createConfirming(parts: MembersParts, access: MembersAccess): Confirming {
  const { database, clock, approvers } = parts;
  return {
    async confirm(actor, target, caller) {
      const { scope } = await access.place(actor, target.organisationId);
      return database.within(scope, async (tx) => {
        const { row, account } = await access.existing(tx, target.userId);
        const { people } = await approvers(tx, now(clock));
        const confirmers = people.find(({ accountId }) => accountId === account.id)?.confirmers ?? [];
        if (confirmers.length === 0) throw new AppError('identity.not-to-confirm');
        if (!confirmers.includes(actor.accountId)) throw new AppError('identity.another-owner-confirms');
        await confirmApprover(tx, account.id, { by: actor.accountId, at: now(clock) });
        await access.record(tx, 'members.confirmed', { actor, caller, subject: account, details: { role: row.role } });
        return memberView(row, account, (await approvers(tx, now(clock))).people, actor.accountId);
      });
    },
  };
}
