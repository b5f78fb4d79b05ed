import { isAppError } from '@holdfast/foundation/errors';

/** A store or a database that is away says nothing of an item: whoever reads waits for it, or fails whole. */
export function isAway(error: unknown): boolean {
  return isAppError(error, 'vault.storage-unavailable', 'vault.bucket-missing', 'vault.access-denied', 'database.unavailable');
}
