import { systemCode } from '@holdfast/foundation/errors';
import { vaultError, type VaultError, type VaultErrorCode } from '../../shared/errors.ts';

const BY_NAME: { readonly [name: string]: VaultErrorCode } = {
  NoSuchKey: 'vault.object-missing',
  NotFound: 'vault.object-missing',
  NoSuchBucket: 'vault.bucket-missing',
  PreconditionFailed: 'vault.object-exists',
  ConditionalRequestConflict: 'vault.object-exists',
  AccessDenied: 'vault.access-denied',
  InvalidAccessKeyId: 'vault.access-denied',
  SignatureDoesNotMatch: 'vault.access-denied',
  ExpiredToken: 'vault.credentials-expired',
  TokenRefreshRequired: 'vault.credentials-expired',
  ExpiredTokenException: 'vault.credentials-expired',
  CredentialsProviderError: 'vault.credentials-expired',
  QuotaExceeded: 'vault.storage-full',
  EntityTooLarge: 'vault.bad-input',
  MethodNotAllowed: 'vault.storage-read-only',
};

const BY_STATUS: { readonly [status: number]: VaultErrorCode } = {
  401: 'vault.access-denied',
  403: 'vault.access-denied',
  404: 'vault.object-missing',
  409: 'vault.object-exists',
  412: 'vault.object-exists',
  507: 'vault.storage-full',
};

interface ServiceFailure {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The vault's error for whatever the S3 client threw. Messages of the service are not repeated: they may hold keys. */
export function s3Failure(error: unknown, object: string, operation: string): VaultError {
  const { name = '', $metadata } = (error ?? {}) as ServiceFailure;
  const status = $metadata?.httpStatusCode;
  const code = BY_NAME[name] ?? (status === undefined ? undefined : BY_STATUS[status]) ?? 'vault.storage-unavailable';
  const told = [name, status, systemCode(error)].filter((part) => part !== undefined && part !== '').join(' ');
  return vaultError(code, `${object}: ${operation} was answered ${told}.`, { object, ...(status === undefined ? {} : { status }) }, error);
}
