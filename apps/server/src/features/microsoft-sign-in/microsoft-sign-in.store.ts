import type { Database, InstallationTx, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';

export type ProviderRow = Selectable<OrganisationTables['microsoft_sign_in']>;

export function readProvider(tx: Tx): Promise<ProviderRow | undefined> {
  return tx.selectFrom('microsoft_sign_in').selectAll().executeTakeFirst();
}

export async function writeProvider(tx: Tx, row: Insertable<OrganisationTables['microsoft_sign_in']>): Promise<void> {
  const { organisation_id: _, realm: __, ...columns } = row;
  await tx
    .insertInto('microsoft_sign_in')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organisation_id', 'realm']).doUpdateSet(columns))
    .execute();
}

export async function removeProvider(tx: Tx): Promise<boolean> {
  return (await tx.deleteFrom('microsoft_sign_in').executeTakeFirst()).numDeletedRows > 0n;
}

/** The organisation that is meant: the one of this short name, or the only one with a provider. */
export function organisationWithProvider(database: Database, abbr: string | undefined): Promise<Scope | undefined> {
  return database.acrossOrganisations(async (tx) => {
    let query = tx
      .selectFrom('microsoft_sign_in as provider')
      .innerJoin('organisations as own', (join) =>
        join.onRef('own.organisation_id', '=', 'provider.organisation_id').onRef('own.realm', '=', 'provider.realm'),
      )
      .select('provider.organisation_id as id')
      .where('provider.realm', '=', 'production');
    if (abbr !== undefined && abbr !== '') query = query.where('own.abbr', '=', abbr.toLowerCase());
    const rows = await query.limit(2).execute();
    const [only] = rows;
    return only && rows.length === 1 ? { organisationId: only.id as Scope['organisationId'], realm: 'production' as const } : undefined;
  });
}

export function hasProviders(database: Database): Promise<boolean> {
  return database.acrossOrganisations(async (tx) => {
    const any = await tx.selectFrom('microsoft_sign_in').select('organisation_id').limit(1).executeTakeFirst();
    return any !== undefined;
  });
}

export interface Attempt {
  readonly state_hash: Buffer;
  readonly provider_of: string;
  readonly browser_hash: Buffer;
  readonly expires_at: Date;
}

/** Notes an attempt, and forgets those nobody came back for. */
export async function addAttempt(tx: InstallationTx, attempt: Attempt, at: Date): Promise<void> {
  await tx.deleteFrom('provided_attempts').where('expires_at', '<=', at).execute();
  await tx.insertInto('provided_attempts').values(attempt).execute();
}

/** Takes an attempt away for good: an answer counts once, and in the browser that asked. */
export async function takeAttempt(
  tx: InstallationTx,
  key: { readonly stateHash: Buffer; readonly browserHash: Buffer; readonly at: Date },
): Promise<Scope | undefined> {
  const row = await tx
    .deleteFrom('provided_attempts')
    .where('state_hash', '=', key.stateHash)
    .where('browser_hash', '=', key.browserHash)
    .where('expires_at', '>', key.at)
    .returning('provider_of')
    .executeTakeFirst();
  return row && { organisationId: row.provider_of as Scope['organisationId'], realm: 'production' };
}
