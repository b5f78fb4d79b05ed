import type { Location, LocationTest } from '@holdfast/contract/locations';
import type { LocationTarget } from './location-target.ts';
import type { LocationRow } from './locations.store.ts';

/** A location as it leaves: keys are told to be there, never what they are. */
export function locationView(row: LocationRow, isInUse: boolean): Location {
  const target = row.target as LocationTarget;
  const s3 = target.kind === 's3' ? target : undefined;
  return {
    locationId: row.location_id,
    name: row.name,
    kind: row.kind,
    use: row.use,
    path: target.kind === 'filesystem' ? target.path : null,
    endpoint: s3?.endpoint ?? null,
    region: s3?.region ?? null,
    bucket: s3?.bucket ?? null,
    prefix: s3?.prefix ?? null,
    forcePathStyle: s3?.forcePathStyle ?? false,
    keysSet: row.sealed_keys !== null,
    immutability: row.immutability as Location['immutability'],
    retainDays: row.retain_days,
    inUse: isInUse,
    lastTest: row.last_test as LocationTest | null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
  };
}
