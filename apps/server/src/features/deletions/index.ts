/**
 * Deletions of messages and files: nothing goes before its time, and nothing goes unseen. Of archives alone, or of backups in all
 * their restore points as well; of what somebody has chosen, or of everything of a person.
 *
 * A draft is a list that does not change. A second person approves it as it was previewed, a day passes in which anybody entitled
 * may stop it, and then a run walks the list by key. What is under hold or within the minimum of a policy at that moment stays.
 * An item leaves every restore point and the index in one transaction, with the segment of the journal that
 * says so; a tombstone is left, and whatever finds it again leaves it out.
 *
 * What is past the maximum of a retention policy is listed in the names of the two people who have brought that into force. It waits the
 * same day, and goes the same way; the policy is asked again for each message of it.
 *
 * What keeps them is the business of holds and retention, how they are taken out of a vault that of the engine.
 */
export { deletionDetails, deletionOfRun } from './deletions.views.ts';
export { createErasureKind } from './erasure.kind.ts';
export { recordErasures } from './erasure-log.ts';
export { createDeletionsFeature } from './feature.ts';
export type { DeletionKeepers } from './keepers.ts';
export { mentionsOf } from './mentions.ts';
export { personOf, type Person } from './person.views.ts';
