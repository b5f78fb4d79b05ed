import type { Role } from '@holdfast/contract/actions';
import type { Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import type { Caller } from '../identity/index.ts';
import { becomesEntitled, losesEntitlement } from './approvers.policy.ts';
import { noteApproverLeft } from './approvers.store.ts';
import { actorEntry } from './organisations.service.ts';
import type { MembersParts } from './members-access.service.ts';
import { addMembership, changeMembership, readMembership } from './organisations.store.ts';

/** Somebody with the role that their groups give. */
export interface ProvidedMember {
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
  /** The owner who answers for the groups: a newcomer never approves what this owner asks for. */
  readonly by: string;
}

/** Members that the organisation's own provider vouches for. */
export interface ProvidedMembers {
  /** Joins, or renews the role; false for whoever is disabled or whose access has ended. An owner stays one. */
  admit(tx: Tx, member: ProvidedMember, caller: Caller): Promise<boolean>;
}

export function createProvidedMembers(parts: Pick<MembersParts, 'audit' | 'clock' | 'announce'>): ProvidedMembers {
  const { audit, clock, announce } = parts;

  async function note(tx: Tx, event: 'members.joined' | 'members.changed', member: ProvidedMember, caller: Caller): Promise<void> {
    const { accountId, email, role } = member;
    const actor = actorEntry({ accountId: accountId as Parameters<typeof actorEntry>[0]['accountId'], email }, caller);
    await audit.record(tx, { event, actor, subject: { kind: 'account', id: accountId, name: email }, details: { role, provided: true } });
    await announce(tx, accountId);
  }

  return Object.freeze<ProvidedMembers>({
    async admit(tx, member, caller) {
      const { accountId, role, by } = member;
      const at = now(clock);
      const row = await readMembership(tx, accountId);
      if (!row) {
        const entitlement = { entitled_by: by, confirmed_at: null, confirmed_by: null };
        await addMembership(tx, { accountId, role, at, entitlement });
        await note(tx, 'members.joined', member, caller);
        return true;
      }
      if (row.disabled_at !== null || (row.ends_at !== null && row.ends_at <= at)) return false;
      if (row.role === role || row.role === 'owner') return true;
      if (losesEntitlement(row, { ...row, role })) await noteApproverLeft(tx, at);
      const entitled = { entitled_since: at, entitled_by: by, confirmed_at: null, confirmed_by: null };
      await changeMembership(tx, accountId, { role, ...(becomesEntitled(row, { ...row, role }, at) ? entitled : {}) });
      await note(tx, 'members.changed', member, caller);
      return true;
    },
  });
}
