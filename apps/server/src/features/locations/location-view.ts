import type { Location, LocationTest } from '@holdfast/contract/locations';
import type { LocationTarget } from './location-target.ts';
import type { LocationRow } from './locations.store.ts';

type Place = Pick<Location, 'path' | 'endpoint' | 'region' | 'bucket' | 'prefix' | 'forcePathStyle'>;

function placeOf(target: LocationTarget): Place {
  if (target.kind === 'filesystem') {
    return { path: target.path, endpoint: null, region: null, bucket: null, prefix: null, forcePathStyle: false };
  }
  const { endpoint, region, bucket, prefix, forcePathStyle } = target;
  return { path: null, endpoint, region, bucket, prefix, forcePathStyle };
}

/** A location as it leaves: keys are told to be there, never what they are. */
export function locationView(
  row: LocationRow,
  seen: { readonly isInUse: boolean; readonly restorePoints: number; readonly pendingRetainDays: number | null },
): Location {
  const target = row.target as LocationTarget;
  return {
    locationId: row.location_id,
    name: row.name,
    kind: row.kind,
    use: row.use,
    ...placeOf(target),
    keysSet: row.sealed_keys !== null,
    immutability: row.immutability as Location['immutability'],
    retainDays: row.retain_days,
    pendingRetainDays: seen.pendingRetainDays,
    inUse: seen.isInUse,
    restorePoints: seen.restorePoints,
    lastTest: row.last_test as LocationTest | null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
  };
}
