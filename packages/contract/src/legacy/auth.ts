import { z } from 'zod';
import { emailText, passwordText, signedIn, verificationCode } from '../identity.ts';
import { passkeyAnswer, passkeyRequest } from '../passkeys.ts';
import { defineRoute } from '../shared/route.ts';

export const audiences = ['main', 'staging', 'legacy'] as const;
export type Audience = (typeof audiences)[number];

/**
 * A second factor is due: ask `verify-user` to send the code (`email`), take it from the authenticator (`totp`), or let a
 * passkey sign what `passkey-options` gives (`passkey`). Recovery codes stand in for an authenticator and for passkeys.
 */
export const channels = ['passkey', 'totp', 'email'] as const;
export const verificationRequired = z.object({
  verificationRequired: z.literal(true),
  challengeId: z.string(),
  channels: z.array(z.enum(channels)),
});
export const verifyCodeBody = z.object({ challengeId: z.string().max(200), code: verificationCode });
const passkeyBody = z.object({ challengeId: z.string().max(200), answer: passkeyAnswer });
export const forgotPasswordBody = z.object({ email: emailText });
const resetToken = z.object({ token: z.string().min(1).max(200) });

/** The sign-in of the portal. One sign-in yields a token for each audience asked for. */
export const auth = {
  signIn: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/signin',
    action: 'public',
    summary: 'Sign in with e-mail and password',
    body: z.object({
      email: z.string().max(254),
      password: z.string().max(256),
      audiences: z.array(z.enum(audiences)).min(1).default(['legacy']),
    }),
    response: z.union([verificationRequired, signedIn]),
    errors: ['identity.invalid-credentials', 'identity.email-not-confirmed'],
  }),
  verifyUser: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/verify-user',
    action: 'public',
    summary: 'Send the six-digit code of a challenge',
    body: z.object({ challengeId: z.string().max(200), channel: z.literal('email') }),
    response: 'empty',
    errors: ['identity.verification-failed', 'identity.code-send-limit'],
  }),
  verifyCode: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/verify-code',
    action: 'public',
    summary: 'Complete a sign-in with its code',
    body: verifyCodeBody,
    response: signedIn,
    errors: ['identity.invalid-code', 'identity.verification-failed'],
  }),
  passkeyOptions: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/passkey-options',
    action: 'public',
    summary: 'What a passkey has to sign to complete a sign-in',
    body: z.object({ challengeId: z.string().max(200) }),
    response: passkeyRequest,
    errors: ['identity.verification-failed', 'passkeys.not-possible'],
  }),
  verifyPasskey: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/verify-passkey',
    action: 'public',
    summary: 'Complete a sign-in with a passkey',
    body: passkeyBody,
    response: signedIn,
    errors: ['passkeys.refused', 'identity.verification-failed', 'passkeys.not-possible'],
  }),
  forgotPassword: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/forgot-password',
    action: 'public',
    summary: 'Mail a link that resets the password',
    body: forgotPasswordBody,
    response: 'empty',
  }),
  resetPassword: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/reset-password/:token',
    action: 'public',
    summary: 'Set a new password with the token of a mail',
    params: resetToken,
    body: z.object({ password: passwordText }),
    response: 'empty',
    errors: ['identity.reset-failed'],
  }),
  logout: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/auth/logout',
    action: 'public',
    summary: 'End the whole session, all three tokens',
    response: 'empty',
    status: 204,
    errors: ['unauthorized'],
  }),
};
