const LIST = '/archive/deletion-jobs?tab=messages';

/** Where a deletion of messages opens; the list of them without one. */
export function deletionAddress(deletionId?: string): string {
  return deletionId === undefined ? LIST : `${LIST}&list=${deletionId}`;
}
