import { AppError } from '@holdfast/foundation/errors';
import { createFilesystemBlobStore } from '@holdfast/vault';
import type { Ground } from '../compose-ground.ts';
import type { LocationStorage } from '../features/backup/index.ts';

/** The stores behind locations. */
export function createLocationStorage({ database }: Ground): LocationStorage {
  return Object.freeze<LocationStorage>({
    async storeOf(scope, locationId) {
      const row = await database.within(scope, (tx) =>
        tx.selectFrom('locations').select(['name', 'kind', 'target']).where('location_id', '=', locationId).executeTakeFirst(),
      );
      if (!row) throw new AppError('not-found');
      const { path } = row.target as { readonly path: string };
      return { store: createFilesystemBlobStore({ root: path }), name: row.name };
    },
  });
}
