import { mayDo, mayHandleRole, type Role } from '@holdfast/contract/actions';
import type { member } from '@holdfast/contract/members';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller, InvitationService, MemberAccount } from '../identity/index.ts';
import { wouldLoseLastOwner } from './members.policy.ts';
import { actorEntry } from './organisations.service.ts';
import {
  addMembership,
  changeMembership,
  listMemberships,
  lockOwners,
  readMembership,
  readOrganisation,
  removeMembership,
  scopesOf,
  type MembershipRow,
} from './organisations.store.ts';

export type MemberView = z.input<typeof member>;

export interface MembersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditInbox;
  readonly invitations: InvitationService;
  /** The organisation an actor chose last, where a request names none. */
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  readonly announce: (tx: Tx, accountId: string) => Promise<void>;
}

export interface InvitationRequest {
  readonly email: string;
  readonly role: Role;
  readonly organisationId?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

export interface MemberChange {
  readonly role?: Role | undefined;
  readonly disabled?: boolean | undefined;
  readonly accessEndsAt?: string | null | undefined;
}

/** Who belongs to an organisation: inviting, changing and ending memberships. */
export interface MembersService {
  list(actor: Actor, organisationId: string | undefined): Promise<MemberView[]>;
  invite(actor: Actor, request: InvitationRequest, caller: Caller): Promise<{ userId: string; link: string | null }>;
  update(actor: Actor, target: MemberTarget, change: MemberChange, caller: Caller): Promise<MemberView>;
  remove(actor: Actor, target: MemberTarget, caller: Caller): Promise<void>;
  resend(actor: Actor, target: MemberTarget, caller: Caller): Promise<{ userId: string; link: string | null }>;
  withdraw(actor: Actor, target: MemberTarget, caller: Caller): Promise<void>;
  endSessions(actor: Actor, target: MemberTarget, caller: Caller): Promise<void>;
  /** An invited account has set its password: it joins everywhere it was invited to. */
  join(accountId: string): Promise<void>;
}

export interface MemberTarget {
  readonly userId: string;
  readonly organisationId: string | undefined;
}

const INVITATION_MS = 7 * 86_400_000;

function viewOf(row: MembershipRow, account: MemberAccount): MemberView {
  return {
    userId: account.id,
    email: account.email,
    firstName: account.firstName,
    lastName: account.lastName,
    phoneNumber: account.phoneNumber,
    role: row.role,
    organisationId: row.organisation_id,
    status: row.disabled_at !== null ? 'disabled' : row.joined_at === null ? 'invited' : 'active',
    isTwoFactorEnabled: account.isTwoFactorEnabled,
    accessEndsAt: row.ends_at?.toISOString() ?? null,
    lastSignInAt: account.lastSignInAt?.toISOString() ?? null,
    invitedAt: row.invited_at?.toISOString() ?? null,
    invitationExpiresAt: row.joined_at === null ? (row.invitation_expires_at?.toISOString() ?? null) : null,
  };
}

/** What of a membership a change touches. */
function columnsOf(change: MemberChange, at: Date): Parameters<typeof changeMembership>[2] {
  return {
    ...(change.role === undefined ? {} : { role: change.role }),
    ...(change.disabled === undefined ? {} : { disabled_at: change.disabled ? at : null }),
    ...(change.accessEndsAt === undefined ? {} : { ends_at: change.accessEndsAt === null ? null : new Date(change.accessEndsAt) }),
  };
}

/** Memberships, and who may touch them. */
function createRows(parts: MembersParts) {
  const { clock, invitations, audit } = parts;

  /** The organisation a request means and the caller's role in it: not a member, not found; no right, denied. */
  async function place(actor: Actor, organisationId: string | undefined): Promise<{ scope: Scope; role: Role }> {
    const wanted = (organisationId ?? (await parts.chosen(actor)) ?? actor.memberships[0]?.organisationId) as Scope['organisationId'];
    const membership = membershipIn(actor, wanted, clock.nowMs());
    if (!membership) throw new AppError('not-found');
    if (!mayDo(membership.role, 'members.manage')) throw new AppError('access-denied');
    return { scope: { organisationId: wanted, realm: actor.realm }, role: membership.role };
  }

  async function existing(tx: Tx, userId: string): Promise<{ row: MembershipRow; account: MemberAccount }> {
    const row = await readMembership(tx, userId);
    const account = row && (await invitations.accounts(tx, [userId])).get(userId);
    if (!row || !account) throw new AppError('not-found');
    return { row, account };
  }

  async function record(
    tx: Tx,
    event: AuditEvent,
    told: { actor: Actor; caller: Caller; account: MemberAccount; details?: Record<string, string | boolean | null> },
  ) {
    await audit.record(tx, {
      event,
      actor: actorEntry(told.actor, told.caller),
      subject: { kind: 'account', id: told.account.id, name: told.account.email },
      ...(told.details ? { details: told.details } : {}),
    });
  }

  async function organisationName(tx: Tx): Promise<string> {
    return (await readOrganisation(tx))?.name ?? '';
  }

  /** Somebody invited who has not come yet, and whose role the caller may handle. */
  async function invited(tx: Tx, userId: string, role: Role): Promise<{ row: MembershipRow; account: MemberAccount }> {
    const found = await existing(tx, userId);
    if (found.row.joined_at !== null) throw new AppError('identity.not-invited');
    if (!mayHandleRole(role, found.row.role)) throw new AppError('identity.invitation-above-role');
    return found;
  }

  async function send(tx: Tx, told: { account: MemberAccount; inviter: string; role: Role }): Promise<string | null> {
    const { account, inviter, role } = told;
    return invitations.send(tx, account.id, { organisation: await organisationName(tx), inviter, role });
  }

  /**
   * What an inviter gets to see. Where no mail reaches people that is the link, but not that of an account which another
   * organisation has invited as well: whoever follows it joins there too.
   */
  async function shown(scope: Scope, sent: { userId: string; link: string | null }): Promise<{ userId: string; link: string | null }> {
    if (sent.link === null) return sent;
    const everywhere = await scopesOf(parts.database, sent.userId);
    return everywhere.every(({ organisationId }) => organisationId === scope.organisationId) ? sent : { ...sent, link: null };
  }

  async function ensureOwnerStays(tx: Tx, change: { accountId: string; role?: Role; isLeaving: boolean }): Promise<void> {
    if (wouldLoseLastOwner(await lockOwners(tx), change)) throw new AppError('identity.last-owner');
  }

  return { place, existing, invited, record, send, shown, ensureOwnerStays };
}

/** Who belongs to an organisation. */
function createReading(parts: MembersParts, rows: ReturnType<typeof createRows>): Pick<MembersService, 'list'> {
  const { database, invitations } = parts;
  const { place } = rows;
  return {
    async list(actor, organisationId) {
      const { scope } = await place(actor, organisationId);
      return database.within(scope, async (tx) => {
        const rows = await listMemberships(tx);
        const accounts = await invitations.accounts(
          tx,
          rows.map((row) => row.account_id),
        );
        return rows.flatMap((row) => {
          const account = accounts.get(row.account_id);
          return account ? [viewOf(row, account)] : [];
        });
      });
    },
  };
}

/** Members come. */
function createInviting(
  parts: MembersParts,
  rows: ReturnType<typeof createRows>,
): Pick<MembersService, 'invite' | 'resend' | 'withdraw' | 'join'> {
  const { database, clock, invitations } = parts;
  const { place, invited, record, send, shown } = rows;
  return {
    async invite(actor, request, caller) {
      const { scope, role } = await place(actor, request.organisationId);
      if (!mayHandleRole(role, request.role)) throw new AppError('identity.invitation-above-role');
      const sent = await database.within(scope, async (tx) => {
        const { account, isExisting } = await invitations.admit(tx, { ...request, language: caller.language });
        const until = new Date(clock.nowMs() + INVITATION_MS);
        const isNew = await addMembership(tx, {
          accountId: account.id,
          role: request.role,
          at: now(clock),
          ...(isExisting ? {} : { invitedUntil: until }),
        });
        if (!isNew) throw new AppError('identity.already-member', { details: { field: 'email' } });
        const link = await send(tx, { account, inviter: actor.email, role: request.role });
        await record(tx, 'members.invited', { actor, caller, account, details: { role: request.role } });
        await parts.announce(tx, account.id);
        return { userId: account.id, link };
      });
      return shown(scope, sent);
    },
    async resend(actor, target, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      const sent = await database.within(scope, async (tx) => {
        const { row, account } = await invited(tx, target.userId, role);
        await changeMembership(tx, account.id, {
          invited_at: now(clock),
          // Somebody who has come in elsewhere meanwhile needs no link any more.
          ...(account.hasPassword
            ? { joined_at: now(clock), invitation_expires_at: null }
            : { invitation_expires_at: new Date(clock.nowMs() + INVITATION_MS) }),
        });
        if (account.hasPassword) await parts.announce(tx, account.id);
        const link = await send(tx, { account, inviter: actor.email, role: row.role });
        await record(tx, 'members.invited-again', { actor, caller, account });
        return { userId: account.id, link };
      });
      return shown(scope, sent);
    },
    async withdraw(actor, target, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      await database.within(scope, async (tx) => {
        const { account } = await invited(tx, target.userId, role);
        await removeMembership(tx, account.id);
        await invitations.withdraw(tx, account.id);
        await record(tx, 'members.invitation-withdrawn', { actor, caller, account });
      });
    },
    async join(accountId) {
      for (const scope of await scopesOf(database, accountId)) {
        await database.within(scope, async (tx) => {
          const row = await readMembership(tx, accountId);
          const isOver = row?.invitation_expires_at != null && row.invitation_expires_at <= now(clock);
          if (!row || row.joined_at !== null || isOver) return;
          await changeMembership(tx, accountId, { joined_at: now(clock), invitation_expires_at: null });
          await parts.announce(tx, accountId);
        });
      }
    },
  };
}

/** Members change. */
function createChanging(parts: MembersParts, rows: ReturnType<typeof createRows>): Pick<MembersService, 'update'> {
  const { database, clock, invitations } = parts;
  const { place, existing, record, ensureOwnerStays } = rows;
  return {
    async update(actor, target, change, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      return database.within(scope, async (tx) => {
        const { row, account } = await existing(tx, target.userId);
        if (!mayHandleRole(role, row.role) || !mayHandleRole(role, change.role ?? row.role))
          throw new AppError('identity.invitation-above-role');
        await ensureOwnerStays(tx, {
          accountId: account.id,
          isLeaving: change.disabled === true || typeof change.accessEndsAt === 'string',
          ...(change.role === undefined ? {} : { role: change.role }),
        });
        await changeMembership(tx, account.id, columnsOf(change, now(clock)));
        if (change.disabled === true) await invitations.endSessions(tx, account.id, 'the membership was disabled');
        const details = { before: row.role, role: change.role ?? row.role, disabled: change.disabled ?? row.disabled_at !== null };
        await record(tx, 'members.changed', { actor, caller, account, details });
        await parts.announce(tx, account.id);
        const changed = await existing(tx, target.userId);
        return viewOf(changed.row, changed.account);
      });
    },
  };
}

/** Members go, or are signed out. */
function createEnding(parts: MembersParts, rows: ReturnType<typeof createRows>): Pick<MembersService, 'remove' | 'endSessions'> {
  const { database, invitations } = parts;
  const { place, existing, record, ensureOwnerStays } = rows;
  return {
    async remove(actor, target, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      await database.within(scope, async (tx) => {
        const { row, account } = await existing(tx, target.userId);
        if (!mayHandleRole(role, row.role)) throw new AppError('identity.invitation-above-role');
        await ensureOwnerStays(tx, { accountId: account.id, isLeaving: true });
        await removeMembership(tx, account.id);
        await invitations.endSessions(tx, account.id, 'the membership ended');
        await record(tx, 'members.removed', { actor, caller, account, details: { role: row.role } });
        await parts.announce(tx, account.id);
      });
    },
    async endSessions(actor, target, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      await database.within(scope, async (tx) => {
        const { row, account } = await existing(tx, target.userId);
        if (!mayHandleRole(role, row.role)) throw new AppError('identity.invitation-above-role');
        await invitations.endSessions(tx, account.id, 'ended by an administrator');
        await record(tx, 'members.sessions-ended', { actor, caller, account });
      });
    },
  };
}

export function createMembersService(parts: MembersParts): MembersService {
  const rows = createRows(parts);
  return Object.freeze<MembersService>({
    ...createReading(parts, rows),
    ...createInviting(parts, rows),
    ...createChanging(parts, rows),
    ...createEnding(parts, rows),
  });
}
