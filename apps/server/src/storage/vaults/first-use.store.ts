import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';

/**
 * Lets one process at a time make the vault of a location, over all machines. Two headers made at once would
 * be of two vaults, and one of them would lose its key.
 */
export function createFirstUse(database: Database) {
  return <T>(scope: Scope, locationId: string, make: () => Promise<T>): Promise<T> =>
    database.within(scope, async (tx) => {
      // The making waits for the store, not for this connection.
      await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx);
      await sql`select pg_advisory_xact_lock(hashtextextended(${`vault ${locationId}`}, 0))`.execute(tx);
      return make();
    });
}
