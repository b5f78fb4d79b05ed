/**
 * The mail archive: every message of a mailbox that a backup has ever stored, kept when the mailbox, the backup's
 * retention or the provider lets go of it.
 *
 * An archive is a resource of a vault like any other, so that commits, verification and restore points are those of a
 * backup. What is here
 * are the job that fills archives from backups, and the views of what is archived.
 */
export { createArchiveKind } from './archive.kind.ts';
export { awaitedAmong } from './awaited-messages.views.ts';
export { awaitedPoints, type AwaitedOfBackup } from './awaited-points.ts';
export { createAwaitedPointsStore } from './awaited-points.store.ts';
export { createArchiveSourcesStore } from './archive-sources.store.ts';
export { membersOfExempt } from './exempt-members.ts';
export { exemptFromArchives } from './exempt.store.ts';
export { recordCaptures } from './capture-log.ts';
export { createArchiveFeature } from './feature.ts';
export { recountArchives } from './recount.service.ts';
export { verifyMessageProof, type ProofFault } from './verify-message-proof.ts';
