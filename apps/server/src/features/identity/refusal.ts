import type { ErrorCode } from '@holdfast/contract/errors';
import { AppError } from '@holdfast/foundation/errors';

/** The kinds of error that the identity calls tell; upstream's names and ours. The names are the contract. */
export type FaultKey =
  | 'InvalidEmail'
  | 'InvalidUserName'
  | 'DuplicateUserName'
  | 'PasswordTooShort'
  | 'PasswordTooLong'
  | 'PasswordRequiresNonAlphanumeric'
  | 'PasswordRequiresDigit'
  | 'PasswordRequiresLower'
  | 'PasswordRequiresUpper'
  | 'PasswordTooCommon'
  | 'PasswordMismatch'
  | 'OldPasswordRequired'
  | 'InvalidToken'
  | 'RequiresTwoFactor'
  | 'InvalidTwoFactorCode'
  | 'CannotResetSharedKeyAndEnable'
  | 'StepUpRequired';

export type SignInDetail = 'Failed' | 'LockedOut' | 'NotAllowed' | 'RequiresTwoFactor';

/** A refusal in the dialect of the identity calls: by keys (400), by detail (401), or empty. */
export class IdentityRefusal extends AppError<ErrorCode> {
  readonly keys: readonly FaultKey[];
  readonly detail: SignInDetail | undefined;
  readonly isEmpty: boolean;

  constructor(code: ErrorCode, told: { readonly keys?: readonly FaultKey[]; readonly detail?: SignInDetail; readonly isEmpty?: boolean }) {
    super(code);
    this.keys = told.keys ?? [];
    this.detail = told.detail;
    this.isEmpty = told.isEmpty ?? false;
  }
}

/** 400 with one key for each kind of error. */
export function invalid(...keys: readonly FaultKey[]): IdentityRefusal {
  return new IdentityRefusal('request.invalid', { keys });
}

/** 400 without a body: something that the call can't do without is missing. */
export function malformed(): IdentityRefusal {
  return new IdentityRefusal('request.invalid', { isEmpty: true });
}

/** 401 without a body. */
export function notAuthenticated(): IdentityRefusal {
  return new IdentityRefusal('unauthorized', { isEmpty: true });
}

/** 401 that says how a sign-in failed. */
export function signInFailed(detail: SignInDetail): IdentityRefusal {
  return new IdentityRefusal('identity.invalid-credentials', { detail });
}
