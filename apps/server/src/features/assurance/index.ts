/**
 * Assurance: the runs that prove and tidy what is stored.
 *
 * A verify run reads the vault back within a budget and goes on where the last one ended. A drill puts
 * samples back and compares them byte by byte. A deletion run gives up restore points by a rule; the
 * newest point and everything under hold stay. What they find is kept with the run as evidence.
 *
 * What is damage and what may go is decided by vault and engine; showing it is the business of reports.
 */
export { createAssuranceFeature } from './feature.ts';
export { createAssuranceStore } from './assurance.store.ts';
export { createDeletionKind } from './deletion.kind.ts';
export { createDuePoints, type DuePoints } from './due-points.service.ts';
export { createDrillKind } from './drill.kind.ts';
export { createVerifyKind } from './verify.kind.ts';
export { createDeletionHandler, type AwaitedIn, type KeptOn } from './deletion.tasks.ts';
export { createDrillHandler } from './drill.tasks.ts';
export { createWitnessFolder, type WitnessFolder } from './witness-folder.ts';
export { createVaultMemoryStore, type VaultMemoryStore } from './vault-memory.store.ts';
export { createVerifyHandler } from './verify.tasks.ts';
