import type { member } from '@holdfast/contract/members';
import type { z } from 'zod';
import type { MemberAccount } from '../identity/index.ts';
import type { Approver } from './approvers.store.ts';
import type { InvitationRow } from './invitations.store.ts';
import type { MembershipRow } from './organisations.store.ts';

export type MemberView = z.input<typeof member>;

function approvalOf(accountId: string, approvers: readonly Approver[], reader: string): MemberView['approval'] {
  const found = approvers.find((one) => one.accountId === accountId);
  if (!found) return null;
  const confirmers = approvers.filter((one) => found.confirmers.includes(one.accountId)).map(({ email }) => email);
  return {
    since: found.entitledSince.toISOString(),
    status: found.status,
    until: found.until?.toISOString() ?? null,
    confirmers,
    mayConfirm: found.confirmers.includes(reader),
  };
}

/** A member as somebody of the same organisation sees them. */
export function memberView(row: MembershipRow, account: MemberAccount, approvers: readonly Approver[], reader: string): MemberView {
  return {
    userId: account.id,
    email: account.email,
    firstName: account.firstName,
    lastName: account.lastName,
    phoneNumber: account.phoneNumber,
    role: row.role,
    organisationId: row.organisation_id,
    status: row.disabled_at === null ? 'active' : 'disabled',
    isTwoFactorEnabled: account.isTwoFactorEnabled,
    accessEndsAt: row.ends_at?.toISOString() ?? null,
    lastSignInAt: account.lastSignInAt?.toISOString() ?? null,
    invitedAt: row.invited_at?.toISOString() ?? null,
    invitationExpiresAt: null,
    approval: approvalOf(account.id, approvers, reader),
  };
}

/** An invited person as the organisation may see them: by the address it typed itself. */
export function invitedView(row: InvitationRow): MemberView {
  return {
    userId: row.invitation_id,
    email: row.email,
    firstName: '',
    lastName: '',
    phoneNumber: '',
    role: row.role,
    organisationId: row.organisation_id,
    status: 'invited',
    isTwoFactorEnabled: false,
    accessEndsAt: null,
    lastSignInAt: null,
    invitedAt: row.invited_at.toISOString(),
    invitationExpiresAt: row.expires_at.toISOString(),
    approval: null,
  };
}
