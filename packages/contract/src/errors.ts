/**
 * Every public error code with its HTTP status. `phrases` must have an English and a German text for
 * each; one without does not compile. The part before the dot is the feature.
 */
export const errors = {
  // Any route
  'request.invalid': 400,
  'request.malformed-id': 400,
  'request.malformed-json': 400,
  'request.unsupported-type': 415,
  'request.too-large': 413,
  'request.method-not-allowed': 405,
  'request.rate-limited': 429,
  'request.precondition-failed': 412,
  'request.idempotency-conflict': 409,
  unauthorized: 401,
  'access-denied': 403,
  'not-found': 404,
  internal: 500,
  'service.overloaded': 503,
  'service.unavailable': 503,
  // Identity
  'identity.invalid-credentials': 401,
  'identity.verification-failed': 401,
  'identity.invalid-code': 400,
  'identity.code-send-limit': 429,
  'identity.second-factor-required': 403,
  'identity.email-not-confirmed': 403,
  'identity.registration-closed': 403,
  'identity.reset-failed': 400,
  'identity.password-invalid': 400,
  'identity.already-set-up': 404,
  'identity.invitation-above-role': 403,
  'identity.last-owner': 409,
  'identity.link-not-sent': 502,
} as const;

export type ErrorCode = keyof typeof errors;

/** True for a code that clients know. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}
