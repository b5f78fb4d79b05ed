import { z } from 'zod';
import { signedIn } from './identity.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, said } from './shared/values.ts';

/** More than anybody has devices. */
export const mostPasskeys = 20;

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/);
const transports = z.array(z.string().max(40)).max(10);
const descriptor = z.object({ type: z.literal('public-key'), id: z.string(), transports });

/** What a device is asked to sign, as `navigator.credentials.get` takes it. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
  /** Empty where any passkey of the device will do. */
  allowCredentials: z.array(descriptor),
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** What a device is asked to make, as `navigator.credentials.create` takes it. */
const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  /** Those of the account: no device is registered twice. */
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
};

/** A new passkey, as browsers write it. */
const madePasskey = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url(4_000), attestationObject: base64url(32_000), transports: transports.optional() }),
});
export type MadePasskey = z.infer<typeof madePasskey>;

/** The signature of a passkey, as browsers write it. */
export const passkeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    /** Whose passkey it is; a device may leave it out where it was told which passkeys to use. */
    userHandle: base64url(100).optional(),
  }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** What its owner calls a passkey. */
export const passkeyName = oneLine(said(60));
/** A session alone neither adds nor removes a passkey: the password or a code of the app comes with it. */
const proof = { password: z.string().max(256).optional(), twoFactorCode: z.string().max(20).optional() };

const passkeyRow = z.object({
  passkeyId: id,
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  /** It was made under another public address, so no browser uses it under this one. */
  isOfOtherAddress: z.boolean(),
});

/** The passkeys of an account. */
export const passkeys = {
  list: defineRoute({
    method: 'GET',
    path: '/api/passkeys',
    action: 'session',
    summary: 'My passkeys',
    response: z.object({
      /** Whether the public address is one at which browsers allow passkeys. */
      isPossible: z.boolean(),
      items: z.array(passkeyRow),
    }),
  }),
  begin: defineRoute({
    method: 'POST',
    path: '/api/passkeys/creation',
    action: 'session',
    localOnly: true,
    summary: 'What a device needs to make a passkey; asks for the password or a code of the app',
    body: z.object(proof),
    response: passkeyCreation,
    errors: ['passkeys.not-possible', 'passkeys.too-many'],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/passkeys',
    action: 'session',
    localOnly: true,
    summary: 'Add the passkey that a device has made, with the first one also recovery codes',
    body: z.object({ name: passkeyName, made: madePasskey }),
    response: z.object({
      /** New ones where there were none; shown once. */
      recoveryCodes: z.array(z.string()).nullable(),
    }),
    errors: ['passkeys.not-possible', 'passkeys.not-accepted', 'passkeys.too-many'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/passkeys/:passkeyId/removal',
    action: 'session',
    localOnly: true,
    summary: 'Remove a passkey; asks for the password or a code of the app, and keeps the last way in',
    params: z.object({ passkeyId: id }),
    body: z.object(proof),
    response: 'empty',
    status: 204,
    errors: ['passkeys.last-way-in'],
  }),
};

/** Signing in with a passkey alone: it is what one has, and the device asks for what one knows or is. */
export const passkeySignIn = {
  start: defineRoute({
    method: 'POST',
    path: '/api/passkey-sign-in/start',
    action: 'public',
    summary: 'What a passkey has to sign, for this browser',
    response: passkeyRequest,
    errors: ['passkeys.not-possible'],
  }),
  complete: defineRoute({
    method: 'POST',
    path: '/api/passkey-sign-in/complete',
    action: 'public',
    summary: 'Sign in with what a passkey has signed',
    body: z.object({ answer: passkeyAnswer }),
    response: signedIn,
    errors: ['passkeys.refused', 'identity.email-not-confirmed', 'passkeys.not-possible'],
  }),
};
