import type { OrganisationTables, Tx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';

export type AppSetupRow = Selectable<OrganisationTables['app_setups']>;

export async function addSetup(tx: Tx, row: Insertable<OrganisationTables['app_setups']>): Promise<void> {
  await tx.insertInto('app_setups').values(row).execute();
}

export function readSetup(tx: Tx, setupId: string): Promise<AppSetupRow | undefined> {
  return tx.selectFrom('app_setups').selectAll().where('setup_id', '=', setupId).executeTakeFirst();
}

/** Removes a preparation whose key has become a tenant's credential; false when it was removed before. */
export async function takeSetup(tx: Tx, setupId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('app_setups').where('setup_id', '=', setupId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes preparations that nobody connected in time, and their keys with them. */
export async function removeSetupsBefore(tx: Tx, at: Date): Promise<void> {
  await tx.deleteFrom('app_setups').where('created_at', '<', at).execute();
}
