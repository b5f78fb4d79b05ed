/**
 * Restoring in the portal: what of a source as it was at a point, whereto, and what happens to what is
 * there already.
 *
 * The page takes its reader from the source over the point and the items to the target, shows the plan
 * before anything is written and starts the run. Other pages lead there with `restoreLink`; what there
 * is to restore, in whichever location it lies, `useHeldSources` tells them.
 *
 * Pages that show items start with a selection through `useRestoreOf`; what a search or an archive found is put back with `RecoveryForm`.
 *
 * What a run does and did is the business of `monitoring`.
 */
export { RecoveryForm } from './recovery-form.tsx';
export { useRestoreOf, type WantedRestore } from './wanted-restore.ts';
export { restoreLink, useHeldSources, type HeldSource } from './held-sources.ts';
