import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

export type LocationRow = Selectable<OrganisationTables['locations']>;

export function listLocations(tx: Tx, tenantId: string): Promise<LocationRow[]> {
  return tx.selectFrom('locations').selectAll().where('tenant_id', '=', tenantId).orderBy('created_at').execute();
}

export function readLocation(tx: Tx, locationId: string): Promise<LocationRow | undefined> {
  return tx.selectFrom('locations').selectAll().where('location_id', '=', locationId).executeTakeFirst();
}

/** The same, locked until the end of the transaction. */
export function lockLocation(tx: Tx, locationId: string): Promise<LocationRow | undefined> {
  return tx.selectFrom('locations').selectAll().where('location_id', '=', locationId).forUpdate().executeTakeFirst();
}

/** Lets one process at a time save a location, whichever organisation it is of. */
export async function lockPlaces(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('places of locations', 0))`.execute(tx);
}

/** Where every location of the organisation lies. */
export async function listTargets(tx: Tx): Promise<object[]> {
  const rows = await tx.selectFrom('locations').select('target').execute();
  return rows.map((row) => row.target);
}

/** The vault of a location, as far as it is remembered: one that was used before has one, also when nobody has noted which. */
export async function knownVault(tx: Tx, row: LocationRow): Promise<{ readonly vaultId?: string } | undefined> {
  if (row.vault_id !== null) return { vaultId: row.vault_id };
  const source = await tx
    .selectFrom('catalog_sources')
    .select('source_id')
    .where('location_id', '=', row.location_id)
    .limit(1)
    .executeTakeFirst();
  return source && {};
}

export async function isNameTaken(tx: Tx, tenantId: string, name: string, except?: string): Promise<boolean> {
  const rows = await listLocations(tx, tenantId);
  return rows.some((row) => row.location_id !== except && row.name.toLowerCase() === name.toLowerCase());
}

export async function addLocation(tx: Tx, location: Insertable<OrganisationTables['locations']>): Promise<void> {
  await tx.insertInto('locations').values(location).execute();
}

export async function changeLocation(tx: Tx, locationId: string, change: Updateable<OrganisationTables['locations']>): Promise<void> {
  await tx.updateTable('locations').set(change).where('location_id', '=', locationId).execute();
}

/** What a location of a tenant is for; undefined where the tenant has none of this id. */
export async function useOf(tx: Tx, tenantId: string, locationId: string): Promise<LocationRow['use'] | undefined> {
  const row = await tx
    .selectFrom('locations')
    .select('use')
    .where('tenant_id', '=', tenantId)
    .where('location_id', '=', locationId)
    .executeTakeFirst();
  return row?.use;
}

/** Removes a location without restore points, and what is known of resources that once had some there. */
export async function removeLocation(tx: Tx, locationId: string): Promise<void> {
  await tx.deleteFrom('catalog_sources').where('location_id', '=', locationId).execute();
  await tx.deleteFrom('locations').where('location_id', '=', locationId).execute();
}

/** Whether journal mail was or will be taken into a location: a journal has no restore points. */
async function holdsJournal(tx: Tx, locationId: string): Promise<boolean> {
  const receiver = await tx.selectFrom('receivers').select('receiver_id').where('location_id', '=', locationId).limit(1).executeTakeFirst();
  if (receiver) return true;
  const journal = await tx
    .selectFrom('catalog_sources')
    .innerJoin('resources', (join) =>
      join
        .onRef('resources.organisation_id', '=', 'catalog_sources.organisation_id')
        .onRef('resources.realm', '=', 'catalog_sources.realm')
        .onRef('resources.resource_id', '=', 'catalog_sources.resource_id'),
    )
    .select('source_id')
    .where('catalog_sources.location_id', '=', locationId)
    .where('resources.kind', '=', 'journal')
    .limit(1)
    .executeTakeFirst();
  return journal !== undefined;
}

/** Whether a location holds restore points or journal mail, or a job stores there. */
export async function isInUse(tx: Tx, locationId: string): Promise<boolean> {
  const job = await tx.selectFrom('jobs').select('job_id').where('location_id', '=', locationId).limit(1).executeTakeFirst();
  if (job) return true;
  const document = await tx.selectFrom('documents').select('document_id').where('location_id', '=', locationId).limit(1).executeTakeFirst();
  if (document) return true;
  const source = await tx
    .selectFrom('catalog_sources')
    .select('source_id')
    .where('location_id', '=', locationId)
    .where('points', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return source !== undefined || (await holdsJournal(tx, locationId));
}

/** How many restore points there are, by location; one that holds none is left out. */
export async function pointsByLocation(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .selectFrom('catalog_sources')
    .select(({ fn }) => ['location_id', fn.sum<string>('points').as('points')])
    .groupBy('location_id')
    .execute();
  return new Map(rows.map((row) => [row.location_id, Number(row.points)]));
}
