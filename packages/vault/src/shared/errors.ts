import { AppError, type ErrorDetails } from '@holdfast/foundation/errors';

/** Everything that can go wrong in a vault, as a caller has to tell it apart. */
export type VaultErrorCode =
  | 'vault.not-found'
  | 'vault.already-exists'
  | 'vault.wrong-key'
  | 'vault.foreign'
  | 'vault.newer-format'
  | 'vault.damaged'
  | 'vault.blob-missing'
  | 'vault.item-key-destroyed'
  | 'vault.storage-full'
  | 'vault.storage-read-only'
  | 'vault.storage-unavailable'
  | 'vault.bucket-missing'
  | 'vault.access-denied'
  | 'vault.credentials-expired'
  | 'vault.object-missing'
  | 'vault.object-exists'
  | 'vault.object-locked'
  | 'vault.commit-conflict'
  | 'vault.fenced'
  | 'vault.prune-conflict'
  | 'vault.writer-closed'
  | 'vault.bad-input'
  | 'vault.cancelled';

export type VaultError = AppError<VaultErrorCode>;

/** Makes a `VaultError`: `message` is the sentence for the log, `details` name the object or field. */
export function vaultError(code: VaultErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown): VaultError {
  return new AppError(code, { message, details, ...(cause === undefined ? {} : { cause }) });
}
