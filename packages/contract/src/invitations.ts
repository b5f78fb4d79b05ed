import { z } from 'zod';
import { roles } from './shared/actions.ts';
import { passwordText } from './identity.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant } from './shared/values.ts';

/** The secret of an invitation's link. It travels in bodies, so that no log of addresses has it. */
const code = z.string().min(1).max(200);
const invitationCode = z.object({ code });

/** An invitation as the holder of its link sees it. */
export const openInvitation = z.object({
  email: z.string(),
  organisationName: z.string(),
  inviter: z.string(),
  role: z.enum(roles),
  expiresAt: instant,
});

/** The invited person's side of an invitation. */
export const invitations = {
  look: defineRoute({
    method: 'POST',
    path: '/api/invitations/look',
    action: 'public',
    summary: 'Read the invitation behind a link',
    body: invitationCode,
    response: openInvitation,
    errors: ['identity.invitation-over'],
  }),
  register: defineRoute({
    method: 'POST',
    path: '/api/invitations/account',
    action: 'public',
    summary: 'Create the account of an invited address; an account that exists stays as it is, and the answer is the same',
    body: z.object({ code, password: passwordText }),
    response: 'empty',
    errors: ['identity.invitation-over'],
  }),
  accept: defineRoute({
    method: 'POST',
    path: '/api/invitations/accept',
    action: 'session',
    localOnly: true,
    summary: 'Accept an invitation to my address',
    body: invitationCode,
    response: z.object({ organisationId: id, role: z.enum(roles) }),
    errors: ['identity.invitation-over', 'identity.invitation-other-address', 'identity.already-member'],
  }),
  leave: defineRoute({
    method: 'DELETE',
    path: '/api/organisations/:organisationId/membership',
    action: 'session',
    summary: 'Leave an organisation',
    params: z.object({ organisationId: id }),
    response: 'empty',
    status: 204,
    errors: ['identity.last-owner'],
  }),
};
