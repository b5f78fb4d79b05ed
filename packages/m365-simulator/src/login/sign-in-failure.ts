import { AppError } from '@holdfast/foundation/errors';

const DOCUMENTED = {
  7000215: [
    'invalid_client',
    401,
    'Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.',
  ],
  7000222: ['invalid_client', 401, 'The provided client secret keys for the app are expired.'],
  7000216: ['invalid_client', 401, "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type."],
  700027: [
    'invalid_client',
    401,
    'The certificate with the identifier used to sign the client assertion is not registered on the application, or its signature is not valid.',
  ],
  700030: ['invalid_client', 401, 'The subject or issuer of the client assertion is not authorised.'],
  700024: ['invalid_client', 401, 'The client assertion is not within its valid time range.'],
  700016: ['unauthorized_client', 400, 'The application was not found in the directory.'],
  90002: ['invalid_request', 400, 'The tenant was not found.'],
  900144: ['invalid_request', 400, 'The request body must contain the following parameter: grant_type.'],
  70003: ['unsupported_grant_type', 400, 'The app requested an unsupported grant type.'],
  70011: ['invalid_scope', 400, 'The provided value for the input parameter scope is not valid.'],
  70008: ['invalid_grant', 400, 'The provided refresh token is not valid or has expired.'],
  7000112: ['unauthorized_client', 401, 'The application is disabled.'],
  65001: ['invalid_grant', 400, 'The administrator has not consented to use the application.'],
  53003: ['invalid_grant', 400, 'Access has been blocked by Conditional Access policies.'],
  50033: ['temporarily_unavailable', 503, 'A transient error has occurred. Please try again.'],
  90033: ['temporarily_unavailable', 503, 'A transient error has occurred. Please try again.'],
} as const;

export type SignInCode = keyof typeof DOCUMENTED;

/** A refusal of the sign-in service, with its number. */
export class SignInFailure extends AppError {
  readonly number: SignInCode;
  readonly status: number;
  readonly error: string;

  constructor(number: SignInCode) {
    const [error, status, message] = DOCUMENTED[number];
    super(`AADSTS${number}`, { message });
    this.number = number;
    this.status = status;
    this.error = error;
  }
}

/** True for a number that sign-in can answer with; faults name them. */
export function isSignInCode(number: number): number is SignInCode {
  return number in DOCUMENTED;
}
