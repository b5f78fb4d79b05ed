import { z } from 'zod';
import { signedIn } from './identity.ts';
import { defineRoute } from './shared/route.ts';
import { id, oneLine, said } from './shared/values.ts';

/** Roles that a group can stand for: nobody becomes an owner by a group, so that the way back in stays local. */
export const providedRoles = ['administrator', 'operator', 'auditor', 'reader'] as const;
export type ProvidedRole = (typeof providedRoles)[number];

const groups = z.array(oneLine(said(200))).max(50, { error: 'validation.tooLong' });
const issuer = oneLine(z.string().max(300, { error: 'validation.issuer' })).refine(
  (value) => /^https?:\/\/[^\s?#]+$/.test(value) && URL.canParse(value),
  {
    error: 'validation.issuer',
  },
);

/** The application at the provider, and the groups or app roles that give each role. */
export const microsoftSignInBody = z.object({
  issuer,
  clientId: oneLine(said(200)),
  /** Kept as it is when left out. */
  clientSecret: z.string().max(500, { error: 'validation.tooLong' }).optional(),
  administrator: groups,
  operator: groups,
  auditor: groups,
  reader: groups,
});
export type MicrosoftSignInBody = z.output<typeof microsoftSignInBody>;

const microsoftSignInView = z.object({
  /** Null until it is set up. Never the secret. */
  setUp: microsoftSignInBody.omit({ clientSecret: true }).nullable(),
  /** What the application at the provider must allow to be redirected to. */
  redirectAddress: z.string(),
  /** Leads straight to the provider of this organisation. */
  signInAddress: z.string(),
});

/** Which of my organisations: the one chosen last when it is left out. */
const query = z.object({ organisationId: id.optional() });

export const microsoftSignIn = {
  read: defineRoute({
    method: 'GET',
    path: '/api/microsoft-sign-in',
    action: 'organisation.manage',
    summary: 'How members sign in with Microsoft Entra; never the secret',
    query,
    response: microsoftSignInView,
  }),
  change: defineRoute({
    method: 'PUT',
    path: '/api/microsoft-sign-in',
    action: 'organisation.manage',
    summary: 'Let members sign in with Microsoft Entra; the provider is asked before anything is saved',
    query,
    body: microsoftSignInBody,
    response: microsoftSignInView,
    errors: ['microsoft-sign-in.issuer-refused', 'microsoft-sign-in.unreachable', 'microsoft-sign-in.secret-missing'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/microsoft-sign-in',
    action: 'organisation.manage',
    summary: 'End the sign-in with Microsoft Entra; accounts and memberships stay',
    query,
    response: 'empty',
    status: 204,
    errors: ['microsoft-sign-in.not-set-up'],
  }),
  offer: defineRoute({
    method: 'GET',
    path: '/api/microsoft-sign-in/offer',
    action: 'public',
    summary: 'Whether anybody signs in with Microsoft here',
    response: z.object({ isOffered: z.boolean() }),
  }),
  start: defineRoute({
    method: 'POST',
    path: '/api/microsoft-sign-in/start',
    action: 'public',
    summary: 'Where the browser goes to sign in with Microsoft; without a name where one organisation alone has set it up',
    body: z.object({ organisation: oneLine(z.string().trim().max(100)).optional() }),
    response: z.object({ address: z.string() }),
    errors: ['microsoft-sign-in.not-set-up', 'microsoft-sign-in.unreachable'],
  }),
  complete: defineRoute({
    method: 'POST',
    path: '/api/microsoft-sign-in/complete',
    action: 'public',
    summary: 'Complete a sign-in with what the provider answered',
    body: z.object({ answer: z.string().max(8_000) }),
    response: signedIn,
    errors: ['microsoft-sign-in.failed', 'microsoft-sign-in.no-role', 'microsoft-sign-in.address-taken', 'microsoft-sign-in.unreachable'],
  }),
};
