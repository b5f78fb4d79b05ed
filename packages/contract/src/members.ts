import { z } from 'zod';
import { roles } from './shared/actions.ts';
import { approverStatuses } from './approvals.ts';
import { emailText, personFields } from './identity.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, timeZoneName, organisationName } from './shared/values.ts';

/** What of an owner or administrator decides whether they may approve. */
const memberApproval = z.object({
  since: instant,
  status: z.enum(approverStatuses),
  until: instant.nullable(),
  /** The owners of whom one has to confirm this person first. */
  confirmers: z.array(z.string()),
  /** Whether the reader may confirm them. */
  mayConfirm: z.boolean(),
});

export const member = z.object({
  userId: id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string(),
  role: z.enum(roles),
  organisationId: id,
  status: z.enum(['active', 'invited', 'disabled']),
  isTwoFactorEnabled: z.boolean(),
  /** End of an auditor's access, if it has one. */
  accessEndsAt: instant.nullable(),
  lastSignInAt: instant.nullable(),
  invitedAt: instant.nullable(),
  invitationExpiresAt: instant.nullable(),
  /** Null for roles that approve nothing, and for whoever is disabled or has not joined. */
  approval: memberApproval.nullable(),
});

/** What an inviter gets back. `link` only where no mail can be sent: it is shown once. */
export const invitation = z.object({ userId: id, link: z.string().nullable() });

const memberParams = z.object({ userId: id });
/** Which of my organisations: the one chosen last when it is left out. */

const organisationQuery = z.object({ organisationId: id.optional() });

export const invitationBody = z.object({
  email: emailText,
  role: z.enum(roles),
  organisationId: id.optional(),
  firstName: personFields.firstName.optional(),
  lastName: personFields.lastName.optional(),
  phoneNumber: personFields.phoneNumber.optional(),
});

const list = defineRoute({
  method: 'GET',
  path: '/api/members',
  action: 'members.read',
  summary: 'The users of an organisation',
  query: organisationQuery,
  response: z.object({ items: z.array(member) }),
});
const invite = defineRoute({
  method: 'POST',
  path: '/api/members',
  action: 'members.manage',
  summary: 'Invite a user',
  body: invitationBody,
  response: invitation,
  status: 201,
  errors: ['identity.invitation-above-role', 'identity.already-member'],
});
const update = defineRoute({
  method: 'PUT',
  path: '/api/members/:userId',
  action: 'members.manage',
  summary: 'Change role, end of access, or disable and enable a member',
  params: memberParams,
  query: organisationQuery,
  body: z.object({ role: z.enum(roles).optional(), disabled: z.boolean().optional(), accessEndsAt: instant.nullable().optional() }),
  response: member,
  errors: ['identity.invitation-above-role', 'identity.last-owner', 'identity.not-joined'],
});
const remove = defineRoute({
  method: 'DELETE',
  path: '/api/members/:userId',
  action: 'members.manage',
  summary: 'End a membership; its sessions end at once',
  params: memberParams,
  query: organisationQuery,
  response: 'empty',
  status: 204,
  errors: ['identity.last-owner', 'identity.invitation-above-role'],
});
const resendInvitation = defineRoute({
  method: 'POST',
  path: '/api/members/:userId/invitation',
  action: 'members.manage',
  summary: 'Send the invitation again; the older link dies',
  params: memberParams,
  query: organisationQuery,
  response: invitation,
  errors: ['identity.not-invited', 'identity.invitation-above-role'],
});
const withdrawInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/members/:userId/invitation',
  action: 'members.manage',
  summary: 'Withdraw an invitation',
  params: memberParams,
  query: organisationQuery,
  response: 'empty',
  status: 204,
  errors: ['identity.not-invited', 'identity.invitation-above-role'],
});
const confirm = defineRoute({
  method: 'POST',
  path: '/api/members/:userId/confirmation',
  action: 'members.manage',
  summary: 'Confirm somebody as an approver whom another owner has entitled',
  params: memberParams,
  query: organisationQuery,
  response: member,
  errors: ['identity.not-to-confirm', 'identity.another-owner-confirms'],
});
const endSessions = defineRoute({
  method: 'DELETE',
  path: '/api/members/:userId/sessions',
  action: 'sessions.endOthers',
  summary: 'Sign a member out everywhere',
  params: memberParams,
  query: organisationQuery,
  response: 'empty',
  status: 204,
  errors: ['identity.not-joined'],
});

export const members = { list, invite, update, remove, resendInvitation, withdrawInvitation, confirm, endSessions };

/** The same calls without `/api`, as identity.md spells them. */
export const membersAtRoot = {
  list: defineRoute({ ...list, path: '/members' }),
  invite: defineRoute({ ...invite, path: '/members' }),
  update: defineRoute({ ...update, path: '/members/:userId' }),
  remove: defineRoute({ ...remove, path: '/members/:userId' }),
  resendInvitation: defineRoute({ ...resendInvitation, path: '/members/:userId/invitation' }),
  withdrawInvitation: defineRoute({ ...withdrawInvitation, path: '/members/:userId/invitation' }),
  confirm: defineRoute({ ...confirm, path: '/members/:userId/confirmation' }),
  endSessions: defineRoute({ ...endSessions, path: '/members/:userId/sessions' }),
};

/** The legacy spelling of an invitation. */
export const administration = {
  createUser: defineRoute({ ...invite, surface: 'legacy', path: '/admin/user_create' }),
};

export const organisation = z.object({
  organisationId: id,
  name: z.string(),
  role: z.enum(roles),
  /** Its clock: the day of summaries, and what new schedules start with. Null: that of most schedules. */
  timeZone: z.string().nullable(),
  /** Whether the owner of a mailbox is told when somebody else opens what is kept of it. */
  notifyContentAccess: z.boolean(),
  /** The language of reports. */
  reportLanguage: z.enum(['en', 'de']),
  /** Whether owners and administrators get the report of each month by e-mail. */
  mailReports: z.boolean(),
});

export const organisationBody = z.object({
  name: organisationName,
  timeZone: timeZoneName.nullable().optional(),
  notifyContentAccess: z.boolean().optional(),
  reportLanguage: z.enum(['en', 'de']).optional(),
  mailReports: z.boolean().optional(),
});

export const organisations = {
  list: defineRoute({
    method: 'GET',
    path: '/api/organisations',
    action: 'session',
    summary: 'The organisations I am a member of',
    response: z.object({ items: z.array(organisation) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/organisations',
    action: 'organisation.manage',
    localOnly: true,
    summary: 'Add a customer; the caller becomes its owner',
    body: z.object({ name: organisationName, timeZone: timeZoneName.optional() }),
    response: organisation,
    status: 201,
    errors: ['organisations.name-taken'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/organisations/:organisationId',
    action: 'organisation.manage',
    summary: 'Rename an organisation and change its settings',
    params: z.object({ organisationId: id }),
    body: organisationBody,
    response: organisation,
    errors: ['organisations.name-taken'],
  }),
};
