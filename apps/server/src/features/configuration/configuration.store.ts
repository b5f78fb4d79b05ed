import type { OrganisationTables, Tx } from '@holdfast/database';
import type { Selectable } from 'kysely';

export type ConfigurationRow = Selectable<OrganisationTables['backup_configurations']>;

export function readConfiguration(tx: Tx, tenantId: string): Promise<ConfigurationRow | undefined> {
  return tx.selectFrom('backup_configurations').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
}

/** Adds the row of a tenant with these settings where there is none; there always is one afterwards. */
export async function ensureConfiguration(tx: Tx, tenantId: string, settings: object): Promise<ConfigurationRow> {
  await tx
    .insertInto('backup_configurations')
    .values({ tenant_id: tenantId, settings: JSON.stringify(settings), connection: null, users_synchronised_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx.selectFrom('backup_configurations').selectAll().where('tenant_id', '=', tenantId).forUpdate().executeTakeFirstOrThrow();
}

export async function changeSettings(tx: Tx, tenantId: string, settings: object, version: number): Promise<void> {
  await tx
    .updateTable('backup_configurations')
    .set({ settings: JSON.stringify(settings), version })
    .where('tenant_id', '=', tenantId)
    .execute();
}

export async function noteConnection(tx: Tx, tenantId: string, report: object): Promise<void> {
  await tx
    .updateTable('backup_configurations')
    .set({ connection: JSON.stringify(report) })
    .where('tenant_id', '=', tenantId)
    .execute();
}

export async function noteSynchronised(tx: Tx, tenantId: string, counts: { users: number; groups: number; at: Date }): Promise<void> {
  await tx
    .updateTable('backup_configurations')
    .set({ users: counts.users, groups: counts.groups, users_synchronised_at: counts.at })
    .where('tenant_id', '=', tenantId)
    .execute();
}
