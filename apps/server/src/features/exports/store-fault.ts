import { isAppError } from '@holdfast/foundation/errors';

/** A store that is away says nothing of an item: the run waits for it, or fails whole. */
export function isOfTheStore(error: unknown): boolean {
  return isAppError(error, 'vault.storage-unavailable', 'vault.bucket-missing', 'vault.access-denied');
}
