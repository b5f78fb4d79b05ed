import type { UnusedFor } from '@holdfast/contract/dashboard';
import { unusedFilters } from '@holdfast/contract/limits';

/** A mailbox or team without anything new since this moment is unused. */
export function unusedSince(filter: UnusedFor, now: Date): Date {
  const at = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return new Date(at.subtract(unusedFilters[filter]).epochMilliseconds);
}
