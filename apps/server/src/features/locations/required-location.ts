import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { useOf, type LocationRow } from './locations.store.ts';

/** Refuses a location that the tenant does not have, and one that is meant for something else. */
export async function requireLocation(
  tx: Tx,
  { tenantId, locationId }: { readonly tenantId: string; readonly locationId: string },
  isMeant: (use: LocationRow['use']) => boolean,
): Promise<void> {
  const use = await useOf(tx, tenantId, locationId);
  if (use === undefined) throw new AppError('jobs.location-unknown', { details: { field: 'locationId' } });
  if (!isMeant(use)) throw new AppError('jobs.location-use', { details: { field: 'locationId' } });
}
