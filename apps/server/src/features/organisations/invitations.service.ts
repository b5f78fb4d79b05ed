import { mayHandleRole, type Role } from '@holdfast/contract/actions';
import type { openInvitation } from '@holdfast/contract/invitations';
import type { Scope, Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { z } from 'zod';
import type { Actor } from '../../access/actor.ts';
import type { Caller } from '../identity/index.ts';
import {
  addInvitation,
  changeInvitation,
  invitationScope,
  isMembersAddress,
  lockInvitation,
  readInvitation,
  removeInvitation,
  type InvitationRow,
} from './invitations.store.ts';
import type { MembersAccess, MembersParts } from './members-access.service.ts';
import { addMembership, readMembership, readOrganisation } from './organisations.store.ts';

export interface InvitationRequest {
  readonly email: string;
  readonly role: Role;
  readonly organisationId?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

/** A member by account, or an invited person by invitation. */
export interface MemberTarget {
  readonly userId: string;
  readonly organisationId: string | undefined;
}

interface Sent {
  readonly userId: string;
  readonly link: string | null;
}

/** The organisation's side of invitations. */
export interface Inviting {
  invite(actor: Actor, request: InvitationRequest, caller: Caller): Promise<Sent>;
  resend(actor: Actor, target: MemberTarget, caller: Caller): Promise<Sent>;
  withdraw(actor: Actor, target: MemberTarget, caller: Caller): Promise<void>;
}

/** The invited person's side. `realm` is that of the surface: production opens invitations of both. */
export interface Accepting {
  look(code: string, realm: Scope['realm']): Promise<z.input<typeof openInvitation>>;
  register(code: string, password: string, realm: Scope['realm'], caller: Caller): Promise<void>;
  accept(actor: Actor, code: string, caller: Caller): Promise<{ organisationId: string; role: Role }>;
}

const INVITATION_MS = 7 * 86_400_000;

/** Invites people, and sends or withdraws what nobody has accepted yet. */
export function createInviting(parts: MembersParts, access: MembersAccess): Inviting {
  const { database, clock, invitations } = parts;
  const { place, record } = access;

  async function send(tx: Tx, row: Pick<InvitationRow, 'email' | 'language' | 'role' | 'inviter'>, code: string): Promise<string | null> {
    const organisation = (await readOrganisation(tx))?.name ?? '';
    return invitations.send(tx, { ...row, organisation, code });
  }

  /** Somebody invited whose role the caller may handle. */
  async function invited(tx: Tx, invitationId: string, role: Role): Promise<InvitationRow> {
    const row = await readInvitation(tx, invitationId);
    if (!row) throw new AppError((await readMembership(tx, invitationId)) ? 'identity.not-invited' : 'not-found');
    if (!mayHandleRole(role, row.role)) throw new AppError('identity.invitation-above-role');
    return row;
  }

  const subjectOf = ({ invitation_id: id, email }: Pick<InvitationRow, 'invitation_id' | 'email'>) => ({ id, email });
  const expiry = (): Date => new Date(clock.nowMs() + INVITATION_MS);

  return {
    async invite(actor, request, caller) {
      const { scope, role } = await place(actor, request.organisationId);
      if (!mayHandleRole(role, request.role)) throw new AppError('identity.invitation-above-role');
      const normalised = invitations.addressOf(request.email);
      return database.within(scope, async (tx) => {
        const { code, hash } = invitations.newCode();
        const row = {
          invitation_id: parts.ids.uuid(),
          email: request.email,
          normalised_email: normalised,
          role: request.role,
          first_name: request.firstName ?? '',
          last_name: request.lastName ?? '',
          phone_number: request.phoneNumber ?? '',
          language: caller.language,
          invited_by: actor.accountId,
          inviter: actor.email,
          invited_at: now(clock),
          expires_at: expiry(),
          code_hash: hash,
          is_mailed: invitations.isMailed,
        };
        const isNew = !(await isMembersAddress(tx, normalised)) && (await addInvitation(tx, row));
        if (!isNew) throw new AppError('identity.already-member', { details: { field: 'email' } });
        const link = await send(tx, row, code);
        await record(tx, 'members.invited', { actor, caller, subject: subjectOf(row), details: { role: request.role } });
        return { userId: row.invitation_id, link };
      });
    },
    async resend(actor, target, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      return database.within(scope, async (tx) => {
        const row = await invited(tx, target.userId, role);
        const { code, hash } = invitations.newCode();
        const renewed = { inviter: actor.email, invited_by: actor.accountId, invited_at: now(clock), expires_at: expiry() };
        await changeInvitation(tx, row.invitation_id, { ...renewed, code_hash: hash, is_mailed: invitations.isMailed });
        const link = await send(tx, { ...row, inviter: actor.email }, code);
        await record(tx, 'members.invited-again', { actor, caller, subject: subjectOf(row) });
        return { userId: row.invitation_id, link };
      });
    },
    async withdraw(actor, target, caller) {
      const { scope, role } = await place(actor, target.organisationId);
      await database.within(scope, async (tx) => {
        const row = await invited(tx, target.userId, role);
        await removeInvitation(tx, row.invitation_id);
        await record(tx, 'members.invitation-withdrawn', { actor, caller, subject: subjectOf(row) });
      });
    },
  };
}

/** Lets the holder of a link read an invitation, create an account and join. */
export function createAccepting(parts: MembersParts, access: MembersAccess): Accepting {
  const { database, clock, invitations } = parts;

  async function open<T>(code: string, realm: Scope['realm'], work: (tx: Tx, row: InvitationRow, scope: Scope) => Promise<T>): Promise<T> {
    const hash = invitations.hashOf(code);
    const scope = await invitationScope(database, hash);
    if (!scope || (realm === 'staging' && scope.realm !== realm)) throw new AppError('identity.invitation-over');
    return database.within(scope, async (tx) => {
      const row = await lockInvitation(tx, hash, now(clock));
      if (!row) throw new AppError('identity.invitation-over');
      return work(tx, row, scope);
    });
  }

  return {
    look: (code, realm) =>
      open(code, realm, async (tx, { email, inviter, role, expires_at: expiresAt }) => {
        const organisationName = (await readOrganisation(tx))?.name ?? '';
        return { email, inviter, role, organisationName, expiresAt: expiresAt.toISOString() };
      }),
    async register(code, password, realm, caller) {
      const row = await open(code, realm, async (_tx, found) => found);
      const { email, first_name: firstName, last_name: lastName, phone_number: phoneNumber } = row;
      await invitations.register({ email, password, firstName, lastName, phoneNumber, isProven: row.is_mailed }, caller);
    },
    accept: (actor, code, caller) =>
      open(code, actor.realm, async (tx, row, scope) => {
        const { accountId, sessionId } = actor;
        const account = (await invitations.accounts(tx, [accountId])).get(accountId);
        if (account?.normalisedEmail !== row.normalised_email) throw new AppError('identity.invitation-other-address');
        const invitation = { by: row.invited_by, at: row.invited_at };
        const entitlement = { entitled_by: row.invited_by, confirmed_at: null, confirmed_by: null };
        const isNew = await addMembership(tx, { accountId, role: row.role, at: now(clock), invitation, entitlement });
        if (!isNew) throw new AppError('identity.already-member');
        await removeInvitation(tx, row.invitation_id);
        await invitations.welcome(tx, { accountId, sessionId, organisationId: scope.organisationId, isProven: row.is_mailed });
        const details = { role: row.role, inviter: row.inviter };
        await access.record(tx, 'members.joined', { actor, caller, subject: account, details });
        await parts.announce(tx, accountId);
        return { organisationId: scope.organisationId, role: row.role };
      }),
  };
}
