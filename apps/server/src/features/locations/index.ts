/**
 * Locations: where the data of a tenant is stored, a folder of this machine or an S3 bucket.
 *
 * A location is tried before it is saved: write, read, conditional put, delete, object lock; what it can
 * really do is remembered and used. Folders lie below those the operator allows, buckets are reached at
 * public hosts or allowed ones. Keys of S3 are sealed and never leave.
 *
 * Immutability can be made longer, never shorter. A location that holds restore points or that a job uses
 * is not deleted. `stores.storeOf(scope, locationId)` opens the blob store for vaults; what is in it is
 * the business of the vault.
 */
export { createLocationsFeature } from './feature.ts';
export { checkHost, lookupFor, type TargetRules } from './location-target.ts';
export { requireLocation } from './required-location.ts';
export type { LocationsService } from './locations.service.ts';
