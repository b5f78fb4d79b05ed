import type { Database, Scope } from '@holdfast/database';
import { isAppError } from '@holdfast/foundation/errors';
import type { Vaults } from './vaults.service.ts';

/** A location whose vault could not be opened, and why. */
export interface NotReached {
  readonly locationId: string;
  readonly name: string;
  readonly code: string;
}

/** Wraps the keys of every vault with the current master key; a vault that has it already is left as it is. Repeatable. */
export async function renewVaultKeys(options: {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'renewKeys'>;
  readonly scopes: readonly Scope[];
}): Promise<{ readonly renewed: number; readonly notReached: readonly NotReached[] }> {
  const { database, vaults, scopes } = options;
  const notReached: NotReached[] = [];
  let renewed = 0;
  for (const scope of scopes) {
    const locations = await database.within(scope, (tx) =>
      tx.selectFrom('locations').select(['location_id', 'name']).orderBy('created_at').execute(),
    );
    for (const { location_id: locationId, name } of locations) {
      try {
        if (await vaults.renewKeys(scope, locationId)) renewed += 1;
      } catch (error) {
        notReached.push({ locationId, name, code: isAppError(error) ? error.code : 'internal' });
      }
    }
  }
  return { renewed, notReached };
}
