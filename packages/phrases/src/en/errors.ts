import type { ErrorCode } from '@holdfast/contract/errors';

/** One text per error code. Lines marked `spec` are the specification's words, letter for letter. */
export const errors: Readonly<Record<ErrorCode, string>> = {
  'request.invalid': 'Invalid request', // spec
  'request.malformed-id': 'The address names something by an id that is not valid.',
  'request.malformed-json': 'The request is not valid JSON.',
  'request.unsupported-type': 'This kind of content is not accepted here. Send JSON.',
  'request.too-large': 'The request is too large.',
  'request.method-not-allowed': 'This address does not accept that method.',
  'request.rate-limited': 'Too many requests. Please wait a moment and try again.',
  'request.precondition-failed': 'Somebody else has changed this in the meantime. Reload it and try again.',
  'request.idempotency-conflict': 'This key has already been used for a different request.',
  unauthorized: 'Unauthorized', // spec
  'access-denied': 'Access denied', // spec
  'not-found': 'Resource not found', // spec
  internal: 'Internal server error', // spec
  'service.overloaded': 'The server is busy. Please try again in a few seconds.',
  'service.unavailable': 'This service is not available right now.', // spec
  'identity.invalid-credentials': 'Invalid Credentials.', // spec
  'identity.verification-failed': 'Login verification failed!', // spec
  'identity.invalid-code': 'Invalid User Verification Code. Attempts: {{count}}', // spec
  'identity.code-send-limit': 'Too many codes have been sent. Please wait 15 minutes and try again.',
  'identity.second-factor-required': 'Set up two-factor authentication before you go on.',
  'identity.email-not-confirmed': 'Your email is not confirmed. Until then the cloud space is blocked.',
  'identity.registration-closed': 'Accounts are created by invitation. Please contact your administrator.',
  'identity.reset-failed': 'Failed to reset password!', // spec
  'identity.password-invalid': 'Your password is invalid. Requires special characters and 6 lengths.', // spec
  'identity.already-set-up': 'This installation has already been set up. Please sign in.',
  'identity.invitation-above-role': 'You cannot give a role above your own.',
  'identity.last-owner': 'An organisation keeps at least one owner. Make somebody else an owner first.',
  'identity.link-not-sent': 'Failed to send verification link', // spec
};
