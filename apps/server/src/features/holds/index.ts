/**
 * Legal holds: what nobody deletes while they last.
 *
 * A hold is on one resource, on files and folders of one, on what a saved search finds, or on a period of one or of all
 * resources of a tenant. It is in force in the transaction that places it. What a search has found once stays on hold,
 * and what the index has not read is held until it is known. Deletion runs and their previews, and the removal of a tenant,
 * ask `holdsOn` and `heldBy` and obey; a hold wins over every rule. Ending one needs a second person and a
 * reason, and the hold lasts until it is decided. Released holds stay listed as a record.
 *
 * What a rule would delete without a hold is the business of the engine's retention.
 */
export { createHoldsFeature, type Holds } from './feature.ts';
export { heldItems, isOfItems } from '../marks/index.ts';
export { heldPlaceName, isAnythingHeld, isWholeHeld, itemsOf, namedIn } from './held-items.store.ts';
export type { HoldAsking, HoldsService } from './holds.service.ts';
