import { sql } from 'kysely';
import type { Tx } from './database.ts';
import type { Scope } from './scope.ts';

/** Runs part of a transaction within another organisation, then returns to its own: what concerns two is there for both, or for none. */
export async function alsoWithin(tx: Tx, own: Scope, other: Scope, work: () => Promise<void>): Promise<void> {
  const enter = (scope: Scope) =>
    sql`select set_config('holdfast.organisation', ${scope.organisationId}, true), set_config('holdfast.realm', ${scope.realm}, true)`.execute(
      tx,
    );
  await enter(other);
  await work();
  await enter(own);
}
