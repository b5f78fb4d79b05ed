/** Codes of a deliberate choice: by a setting of the job, or by name. */
const byChoice = [
  'coverage.excluded',
  'coverage.excluded-by-job',
  'coverage.deleted-items',
  'coverage.junk',
  'coverage.not-selected',
  'coverage.channel-not-selected',
];
/** Codes of something that does not exist, so that no backup misses it. */
const nothingThere = [
  'graph.mailbox-missing',
  'graph.drive-missing',
  'engine.item-gone',
  'coverage.channel-gone',
  'coverage.channel-without-folder',
];
/** Codes of something that is protected in another place. */
const protectedElsewhere = ['coverage.copy-of-teams', 'coverage.search-folders', 'coverage.meeting-recordings', 'coverage.team-site'];

/** The reasons for which something counts as excluded. Whatever else is missing (blocked, archived, switched off, unreadable) is not protected. */
export const excludingCodes: readonly string[] = [...byChoice, ...nothingThere, ...protectedElsewhere];

/** Whether something that no run reads is excluded, and not unprotected. Without a code somebody excluded it. */
export function isExcluding(code: string | null): boolean {
  return code === null || excludingCodes.includes(code);
}
