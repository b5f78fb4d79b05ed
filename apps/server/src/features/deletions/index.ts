/**
 * Deletions of archived messages: nothing goes before its time, and nothing goes unseen.
 *
 * A draft is a list that does not change. A second person approves it as it was previewed, a day passes in which anybody entitled
 * may stop it, and then a run walks the list by key. What is under hold or within the minimum of a policy at that moment stays.
 * A message leaves every restore point of the archive and the index in one transaction, with the segment of the journal that
 * says so; a tombstone is left, and whatever finds the message again leaves it out.
 *
 * What is past the maximum of a retention policy is listed in the names of the two people who have brought that into force. It waits the
 * same day, and goes the same way; the policy is asked again for each message of it.
 *
 * What keeps messages is the business of holds and retention, how they are taken out of a vault that of the engine.
 */
export { deletionOfRun } from './deletions.views.ts';
export { createErasureKind } from './erasure.kind.ts';
export { recordErasures } from './erasure-log.ts';
export { createDeletionsFeature } from './feature.ts';
export type { ArchiveKeepers } from './keepers.ts';
