import { mayDo, type Role } from '@holdfast/contract/actions';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller, InvitationService, MemberAccount } from '../identity/index.ts';
import type { ReadApprovers } from './approvers.store.ts';
import { wouldLoseLastOwner } from './members.policy.ts';
import { actorEntry } from './organisations.service.ts';
import { alsoWithinEach, lockOwners, otherScopesOf, readMembership, type MembershipRow } from './organisations.store.ts';

export interface MembersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly invitations: InvitationService;
  readonly approvers: ReadApprovers;
  /** The organisation an actor chose last, where a request names none. */
  readonly chosen: (actor: Actor) => Promise<string | undefined>;
  readonly announce: (tx: Tx, accountId: string) => Promise<void>;
  /** What acts for somebody ends with their membership, in the same transaction. */
  readonly onLeft?: (tx: Tx, accountId: string, by: string) => Promise<void>;
}

/** What an event of members says. */
export interface MemberNote {
  readonly actor: Pick<Actor, 'accountId' | 'email'>;
  readonly caller: Caller;
  readonly subject: { readonly id: string; readonly email: string };
  readonly details?: Record<string, string | boolean | null>;
}

/** Memberships, and who may touch them. */
export function createMembersAccess(parts: MembersParts) {
  const { clock, invitations, audit, database } = parts;

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

  async function record(tx: Tx, event: AuditEvent, { actor, caller, subject, details }: MemberNote): Promise<void> {
    await audit.record(tx, {
      event,
      actor: actorEntry(actor, caller),
      subject: { kind: 'account', id: subject.id, name: subject.email },
      ...(details ? { details } : {}),
    });
  }

  /** The other organisations of a person see what happened, not who did it. */
  async function recordElsewhere(
    tx: Tx,
    { own, others }: { readonly own: Scope; readonly others: readonly Scope[] },
    account: MemberAccount,
    what: AuditEvent,
  ): Promise<void> {
    await alsoWithinEach(tx, own, others, () =>
      audit.record(tx, {
        event: 'members.changed-elsewhere',
        actor: { kind: 'system', name: 'organisations' },
        subject: { kind: 'account', id: account.id, name: account.email },
        details: { what },
      }),
    );
  }

  async function ensureOwnerStays(tx: Tx, change: { accountId: string; role?: Role; isLeaving: boolean }): Promise<void> {
    if (wouldLoseLastOwner(await lockOwners(tx), change)) throw new AppError('identity.last-owner');
  }

  const elsewhere = (accountId: string, scope: Scope): Promise<Scope[]> => otherScopesOf(database, accountId, scope);

  return { place, existing, record, recordElsewhere, ensureOwnerStays, elsewhere };
}

export type MembersAccess = ReturnType<typeof createMembersAccess>;
