import { z } from 'zod';
import { verificationCodeDigits } from './shared/limits.ts';
import { defineRoute } from './shared/route.ts';
import { roles } from './shared/actions.ts';
import { id, instant, timeZoneName, organisationName } from './shared/values.ts';

/** The floor of spec section 5: six characters and a special one. The policy of an installation may ask for more. */
export const passwordText = z.string().min(1, { error: 'validation.password' }).max(256, { error: 'validation.password' });
export const specialCharacter = /[^\p{L}\p{N}\s]/u;

/**
 * E-mail addresses of our own users. The server allows Latin letters, digits, `@` and `.` (spec section 5), or with
 * `HOLDFAST_EMAIL_CHARACTERS=upstream` all that pass here.
 */
export const emailText = z
  .string()
  .min(1, { error: 'validation.emailRequired', abort: true })
  .max(254, { error: 'rules.address' })
  .regex(/^[A-Za-z0-9.+_-]+@[A-Za-z0-9.-]+$/, { error: 'rules.address' });

/** Six digits, or a recovery code where the account has an authenticator. */
export const verificationCode = z
  .string()
  .trim()
  .regex(new RegExp(`^(\\d{${verificationCodeDigits}}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$`), { error: 'validation.code' });

export const accessToken = z.object({
  tokenType: z.literal('Bearer'),
  accessToken: z.string(),
  expiresIn: z.number().int(),
  refreshToken: z.string().optional(),
});

/** One of the three tokens that a sign-in of the portal yields. */
export const audienceSession = z.object({ token: z.string(), expiresIn: z.number().int() });
export const audienceSessions = z.object({
  main: audienceSession.optional(),
  staging: audienceSession.optional(),
  legacy: audienceSession.optional(),
});
export const signedInUser = z.object({ id, email: z.string(), role: z.enum(roles).nullable() });
export const signedIn = z.object({
  token: z.string(),
  expiresIn: z.number().int(),
  user: signedInUser,
  sessions: audienceSessions.optional(),
});
export type SignedIn = z.infer<typeof signedIn>;

const info = z.object({ email: z.string(), isEmailConfirmed: z.boolean() });
export const twoFactorState = z.object({
  /** Shown while it is set up; empty once it is turned on. */
  sharedKey: z.string(),
  recoveryCodesLeft: z.number().int(),
  recoveryCodes: z.array(z.string()).nullable(),
  isTwoFactorEnabled: z.boolean(),
  isMachineRemembered: z.boolean(),
});
const stepUp = { password: z.string().nullish(), twoFactorCode: z.string().nullish() };

const loginBody = z.object({
  email: z.string(),
  password: z.string(),
  twoFactorCode: z.string().nullish(),
  twoFactorRecoveryCode: z.string().nullish(),
});
const flag = z
  .string()
  .regex(/^(true|false)$/i)
  .transform((text) => text.toLowerCase() === 'true');
const loginQuery = z.object({ useCookies: flag.optional(), useSessionCookies: flag.optional() });
const emailBody = z.object({ email: z.string() });

/** The nine calls of the main identity API. They speak a dialect of their own: see the identity feature. */
export const identity = {
  register: defineRoute({
    method: 'POST',
    path: '/register',
    action: 'public',
    summary: 'Create an account',
    body: z.object({ email: z.string(), password: z.string() }),
    response: 'empty',
    errors: ['identity.registration-closed'],
  }),
  login: defineRoute({
    method: 'POST',
    path: '/login',
    action: 'public',
    summary: 'Sign in with password and second factor',
    query: loginQuery,
    body: loginBody,
    /** Nothing where a cookie was asked for. */
    response: accessToken.optional(),
    errors: ['identity.invalid-credentials'],
  }),
  refresh: defineRoute({
    method: 'POST',
    path: '/refresh',
    action: 'public',
    summary: 'Renew the tokens of a session',
    body: z.object({ refreshToken: z.string().nullish() }),
    response: accessToken.extend({ sessions: audienceSessions.optional() }),
    errors: ['unauthorized'],
  }),
  confirmEmail: defineRoute({
    method: 'GET',
    path: '/confirmEmail',
    action: 'public',
    summary: 'Confirm an e-mail address by the link of a mail',
    query: z.object({ userId: z.string(), code: z.string(), changedEmail: z.string().optional() }),
    response: z.string(),
    errors: ['unauthorized'],
  }),
  resendConfirmationMail: defineRoute({
    method: 'POST',
    path: '/resendConfirmationMail',
    action: 'public',
    summary: 'Send the confirmation mail again',
    body: emailBody,
    response: 'empty',
  }),
  resendConfirmationEmail: defineRoute({
    method: 'POST',
    path: '/resendConfirmationEmail',
    action: 'public',
    summary: 'Send the confirmation mail again (alias)',
    body: emailBody,
    response: 'empty',
  }),
  forgotPassword: defineRoute({
    method: 'POST',
    path: '/forgotPassword',
    action: 'public',
    summary: 'Send a code to reset the password',
    body: emailBody,
    response: 'empty',
  }),
  resetPassword: defineRoute({
    method: 'POST',
    path: '/resetPassword',
    action: 'public',
    summary: 'Reset the password with a mailed code',
    body: z.object({ email: z.string(), resetCode: z.string(), newPassword: z.string() }),
    response: 'empty',
  }),
  twoFactor: defineRoute({
    method: 'POST',
    path: '/manage/2fa',
    action: 'session',
    localOnly: true,
    summary: 'Read and change the second factor',
    body: z.object({
      enable: z.boolean().nullish(),
      resetSharedKey: z.boolean().default(false),
      resetRecoveryCodes: z.boolean().default(false),
      forgetMachine: z.boolean().default(false),
      ...stepUp,
    }),
    response: twoFactorState,
  }),
  info: defineRoute({ method: 'GET', path: '/manage/info', action: 'session', summary: 'E-mail address and its state', response: info }),
  changeInfo: defineRoute({
    method: 'POST',
    path: '/manage/info',
    action: 'session',
    localOnly: true,
    summary: 'Change e-mail address or password',
    body: z.object({
      newEmail: z.string().nullish(),
      newPassword: z.string().nullish(),
      oldPassword: z.string().nullish(),
      twoFactorCode: z.string().nullish(),
    }),
    response: info,
  }),
};

export const passwordPolicy = z.object({
  minLength: z.number().int(),
  requiresSpecial: z.boolean(),
  registration: z.enum(['invite', 'open']),
  secondFactor: z.enum(['required', 'optional']),
});
export type PasswordPolicy = z.infer<typeof passwordPolicy>;

export const sessionRow = z.object({
  sessionId: id,
  createdAt: instant,
  lastActiveAt: instant,
  expiresAt: instant,
  address: z.string(),
  userAgent: z.string(),
  factors: z.enum(['pwd', 'mfa']),
  current: z.boolean(),
});

export const membership = z.object({ organisationId: id, organisationName: z.string(), role: z.enum(roles) });
export const account = z.object({
  userId: id,
  email: z.string(),
  isEmailConfirmed: z.boolean(),
  /** Whether an organisation vouches for the person, in place of a confirmed address. */
  isVouched: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string(),
  language: z.enum(['en', 'de']),
  /** Whether the daily summary is sent to this account. */
  summaryMails: z.boolean(),
  isTwoFactorEnabled: z.boolean(),
  /** The organisation chosen last and the role in it. */
  organisationId: id.nullable(),
  role: z.enum(roles).nullable(),
  memberships: z.array(membership),
  /** My organisations that stay closed to this request, and the rule that closes each. */
  withheld: z.array(z.object({ organisationId: id, organisationName: z.string(), because: z.enum(['network', 'second-factor']) })),
});

const personName = (field: 'firstName' | 'lastName') =>
  z
    .string()
    .trim()
    .max(100, { error: `validation.${field}` })
    .regex(/^[\p{L}\p{M}\p{N} .,'’-]*$/u, { error: `validation.${field}` });
/** The member names of a person, shared by the profile and the invitation. */
export const personFields = {
  firstName: personName('firstName'),
  lastName: personName('lastName'),
  phoneNumber: z
    .string()
    .trim()
    .max(32, { error: 'validation.phoneNumber' })
    .regex(/^(\+?[0-9 ()/.-]{3,})?$/, { error: 'validation.phoneNumber' }),
};

export const bootstrapBody = z.object({
  token: z.string().min(1).max(200),
  email: emailText,
  password: passwordText,
  organisation: organisationName,
  /** Of the founder's browser. */
  timeZone: timeZoneName.optional(),
});
/** Without `summaryMails` it stays as it is. */
export const accountBody = z.object({ ...personFields, language: z.enum(['en', 'de']), summaryMails: z.boolean().optional() });

/** Path and query of a file as the browser will ask for it. It becomes the path of a cookie, so nothing else may stand in it. */
export const downloadPassBody = z.object({
  address: z
    .string()
    .max(2_000)
    .regex(/^(\/[\w.~%-]+)+(\?[\w.~%&=+-]*)?$/),
});

/** What the product adds to the identity API, in its usual dialect. */
export const accounts = {
  policy: defineRoute({
    method: 'GET',
    path: '/identity/policy',
    action: 'public',
    summary: 'The rules for passwords, registration and the second factor',
    response: passwordPolicy,
  }),
  bootstrap: defineRoute({
    method: 'POST',
    path: '/bootstrap',
    action: 'public',
    summary: 'Create the first organisation and its owner',
    body: bootstrapBody,
    response: signedIn,
    errors: ['identity.already-set-up', 'identity.setup-token-invalid'],
  }),
  account: defineRoute({ method: 'GET', path: '/account', action: 'session', summary: 'My profile', response: account }),
  updateAccount: defineRoute({
    method: 'PUT',
    path: '/account',
    action: 'session',
    summary: 'Change my name, phone number, language and mails',
    body: accountBody,
    response: account,
  }),
  sessions: defineRoute({
    method: 'GET',
    path: '/sessions',
    action: 'session',
    summary: 'My signed-in devices',
    response: z.object({ items: z.array(sessionRow) }),
  }),
  /** Sets a cookie that the browser sends to this one address, so that a link can stream the file to the disk. */
  downloadPass: defineRoute({
    method: 'POST',
    path: '/download-passes',
    action: 'session',
    summary: 'May fetch the file behind one address by a link, once and within a minute',
    body: downloadPassBody,
    response: 'empty',
    status: 204,
  }),
  endSession: defineRoute({
    method: 'DELETE',
    path: '/sessions/:sessionId',
    action: 'session',
    summary: 'Sign out one device',
    params: z.object({ sessionId: id }),
    response: 'empty',
    status: 204,
  }),
  endOtherSessions: defineRoute({
    method: 'DELETE',
    path: '/sessions',
    action: 'session',
    summary: 'Sign out all other devices; with includeCurrent this one too',
    query: z.object({ includeCurrent: z.stringbool().optional() }),
    response: 'empty',
    status: 204,
  }),
};
