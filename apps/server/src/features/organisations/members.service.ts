import { mayHandleRole, type Role } from '@holdfast/contract/actions';
import type { Scope, Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { AuditEvent } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { becomesEntitled, losesEntitlement } from './approvers.policy.ts';
import { noteApproverLeft } from './approvers.store.ts';
import { createConfirming, type Confirming } from './confirming.service.ts';
import { createAccepting, createInviting, type Accepting, type Inviting, type MemberTarget } from './invitations.service.ts';
import { changeInvitation, listInvitations, readInvitation, type InvitationRow } from './invitations.store.ts';
import { invitedView, memberView, type MemberView } from './member-view.ts';
import { createMembersAccess, type MembersAccess, type MembersParts } from './members-access.service.ts';
import { changeMembership, listMemberships, removeMembership, type MembershipChange, type MembershipRow } from './organisations.store.ts';

export interface MemberChange {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly accessEndsAt?: string | null | undefined;
}

/** Who belongs to an organisation: inviting, joining, changing and ending memberships. */
export interface MembersService extends Inviting, Accepting, Confirming {
  list(actor: Actor, organisationId: string | undefined): Promise<MemberView[]>;
  update(actor: Actor, target: MemberTarget, change: MemberChange, caller: Caller): Promise<MemberView>;
  remove(actor: Actor, target: MemberTarget, caller: Caller): Promise<void>;
  endSessions(actor: Actor, target: MemberTarget, caller: Caller): Promise<void>;
  /** Ends the caller's own membership. */
  leave(actor: Actor, organisationId: string, caller: Caller): Promise<void>;
}

/** What of a membership a change touches. */
function columnsOf(change: MemberChange, at: Date): MembershipChange {
  return {
    ...(change.role === undefined ? {} : { role: change.role }),
    ...(change.disabled === undefined ? {} : { disabled_at: change.disabled ? at : null }),
    ...(change.accessEndsAt === undefined ? {} : { ends_at: change.accessEndsAt === null ? null : new Date(change.accessEndsAt) }),
  };
}

function createReading(parts: MembersParts, access: MembersAccess): Pick<MembersService, 'list'> {
  const { database, invitations } = parts;
  return {
    async list(actor, organisationId) {
      const { scope } = await access.place(actor, organisationId);
      return database.within(scope, async (tx) => {
        const rows = await listMemberships(tx);
        const { people } = await parts.approvers(tx, now(parts.clock));
        const accounts = await invitations.accounts(
          tx,
          rows.map((row) => row.account_id),
        );
        const members = rows.flatMap((row) => {
          const account = accounts.get(row.account_id);
          return account ? [memberView(row, account, people, actor.accountId)] : [];
        });
        return [...members, ...(await listInvitations(tx)).map(invitedView)];
      });
    },
  };
}

function createChanging(parts: MembersParts, access: MembersAccess): Pick<MembersService, 'update'> {
  const { database, clock, invitations } = parts;

  function requireRoles(own: Role, change: { readonly from: Role; readonly to: Role }): void {
    if (!mayHandleRole(own, change.from) || !mayHandleRole(own, change.to)) throw new AppError('identity.invitation-above-role');
  }

  async function changeInvited(
    tx: Tx,
    row: InvitationRow,
    { actor, role, change, caller }: { actor: Actor; role: Role; change: MemberChange; caller: Caller },
  ): Promise<MemberView> {
    if (change.disabled !== undefined || change.accessEndsAt !== undefined) throw new AppError('identity.not-joined');
    const to = change.role ?? row.role;
    requireRoles(role, { from: row.role, to });
    // Whoever gives the role answers for it, not who invited into another one.
    await changeInvitation(tx, row.invitation_id, { role: to, invited_by: actor.accountId });
    const subject = { id: row.invitation_id, email: row.email };
    await access.record(tx, 'members.changed', { actor, caller, subject, details: { before: row.role, role: to } });
    return invitedView({ ...row, role: to });
  }

  /** Begins the time of whoever becomes an approver, and remembers that an approver's rights were taken away. */
  async function entitled(tx: Tx, row: MembershipRow, change: MembershipChange, actor: Actor): Promise<MembershipChange> {
    const at = now(clock);
    const after = { ...row, ...change };
    const isOwn = row.account_id === actor.accountId;
    if (!isOwn && losesEntitlement(row, after)) await noteApproverLeft(tx, at);
    if (!becomesEntitled(row, after, at)) return change;
    return { ...change, entitled_since: at, entitled_by: isOwn ? null : actor.accountId, confirmed_at: null, confirmed_by: null };
  }

  return {
    async update(actor, target, change, caller) {
      const { scope, role } = await access.place(actor, target.organisationId);
      const others = await access.elsewhere(target.userId, scope);
      return database.within(scope, async (tx) => {
        const invitation = await readInvitation(tx, target.userId);
        if (invitation) return changeInvited(tx, invitation, { actor, role, change, caller });
        const { row, account } = await access.existing(tx, target.userId);
        requireRoles(role, { from: row.role, to: change.role ?? row.role });
        await access.ensureOwnerStays(tx, {
          accountId: account.id,
          isLeaving: change.disabled === true || typeof change.accessEndsAt === 'string',
          ...(change.role === undefined ? {} : { role: change.role }),
        });
        await changeMembership(tx, account.id, await entitled(tx, row, columnsOf(change, now(clock)), actor));
        const { organisationId } = scope;
        if (change.disabled === true) {
          const why = 'the membership was disabled';
          await invitations.endSessions(tx, { accountId: account.id, organisationId, isOnly: others.length === 0, why });
        }
        const details = { before: row.role, role: change.role ?? row.role, disabled: change.disabled ?? row.disabled_at !== null };
        await access.record(tx, 'members.changed', { actor, caller, subject: account, details });
        if (change.disabled !== undefined) await access.recordElsewhere(tx, { own: scope, others }, account, 'members.changed');
        await parts.announce(tx, account.id);
        const changed = await access.existing(tx, target.userId);
        return memberView(changed.row, changed.account, (await parts.approvers(tx, now(clock))).people, actor.accountId);
      });
    },
  };
}

interface Ending {
  readonly actor: Actor;
  readonly caller: Caller;
  readonly scope: Scope;
  readonly userId: string;
  readonly event: AuditEvent;
  readonly why: string;
  /** Whether the membership ends, or its sessions alone. */
  readonly isMembership: boolean;
  /** Throws where the caller may not. */
  readonly check: (row: MembershipRow) => void;
}

/** Members go, or are signed out. */
function createEnding(
  parts: MembersParts,
  access: MembersAccess,
  inviting: Inviting,
): Pick<MembersService, 'remove' | 'endSessions' | 'leave'> {
  const { database, invitations } = parts;

  async function end({ actor, caller, scope, userId, event, why, isMembership, check }: Ending): Promise<void> {
    const others = await access.elsewhere(userId, scope);
    await database.within(scope, async (tx) => {
      const { row, account } = await access.existing(tx, userId);
      check(row);
      if (isMembership) {
        await access.ensureOwnerStays(tx, { accountId: account.id, isLeaving: true });
        await removeMembership(tx, account.id);
        await parts.onLeft?.(tx, account.id, actor.email);
        if (actor.accountId !== account.id && losesEntitlement(row, undefined)) await noteApproverLeft(tx, now(parts.clock));
      }
      const { organisationId } = scope;
      await invitations.endSessions(tx, { accountId: account.id, organisationId, isOnly: others.length === 0, why });
      await access.record(tx, event, { actor, caller, subject: account, details: { role: row.role } });
      if (actor.accountId !== account.id) await access.recordElsewhere(tx, { own: scope, others }, account, event);
      await parts.announce(tx, account.id);
    });
  }

  const isInvited = (scope: Scope, userId: string): Promise<boolean> =>
    database.within(scope, async (tx) => (await readInvitation(tx, userId)) !== undefined);

  function requireRole(role: Role): (row: MembershipRow) => void {
    return (row) => {
      if (!mayHandleRole(role, row.role)) throw new AppError('identity.invitation-above-role');
    };
  }

  return {
    async remove(actor, target, caller) {
      const { scope, role } = await access.place(actor, target.organisationId);
      if (await isInvited(scope, target.userId)) return inviting.withdraw(actor, target, caller);
      const why = 'the membership ended';
      const { userId } = target;
      return end({ actor, caller, scope, userId, event: 'members.removed', why, isMembership: true, check: requireRole(role) });
    },
    async endSessions(actor, target, caller) {
      const { scope, role } = await access.place(actor, target.organisationId);
      const { userId } = target;
      if (await isInvited(scope, userId)) throw new AppError('identity.not-joined');
      const why = 'ended by an administrator';
      await end({ actor, caller, scope, userId, event: 'members.sessions-ended', why, isMembership: false, check: requireRole(role) });
    },
    async leave(actor, organisationId, caller) {
      const id = organisationId as Scope['organisationId'];
      // Whom the rules of the organisation keep out may leave all the same.
      const isWithheld = actor.withheld?.some((withheld) => withheld.organisationId === id) === true;
      if (!isWithheld && !membershipIn(actor, id, parts.clock.nowMs())) throw new AppError('not-found');
      const scope = { organisationId: id, realm: actor.realm };
      const why = 'the person left the organisation';
      const check = (): void => undefined;
      await end({ actor, caller, scope, userId: actor.accountId, event: 'members.left', why, isMembership: true, check });
    },
  };
}

export function createMembersService(parts: MembersParts): MembersService {
  const access = createMembersAccess(parts);
  const inviting = createInviting(parts, access);
  return Object.freeze<MembersService>({
    ...createReading(parts, access),
    ...inviting,
    ...createAccepting(parts, access),
    ...createChanging(parts, access),
    ...createConfirming(parts, access),
    ...createEnding(parts, access, inviting),
  });
}
