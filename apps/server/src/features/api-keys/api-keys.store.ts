import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';

export type ApiKeyRow = Selectable<OrganisationTables['api_keys']>;

/** Where the key behind a secret belongs, if there is one. */
export function findApiKey(database: Database, secretHash: Buffer): Promise<{ scope: Scope; apiKeyId: string } | undefined> {
  return database.acrossOrganisations(async (tx) => {
    const row = await tx
      .selectFrom('api_keys')
      .select(['organisation_id', 'realm', 'api_key_id'])
      .where('secret_hash', '=', secretHash)
      .executeTakeFirst();
    return row && { scope: { organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm }, apiKeyId: row.api_key_id };
  });
}

export function readApiKey(tx: Tx, apiKeyId: string): Promise<ApiKeyRow | undefined> {
  return tx.selectFrom('api_keys').selectAll().where('api_key_id', '=', apiKeyId).executeTakeFirst();
}

/** The newest first; those that ended long ago are left to the audit log. */
export function listApiKeys(tx: Tx, endedSince: Date): Promise<ApiKeyRow[]> {
  return tx
    .selectFrom('api_keys')
    .selectAll()
    .where((or) => or.or([or('ended_at', 'is', null), or('ended_at', '>', endedSince)]))
    .where('expires_at', '>', endedSince)
    .orderBy('created_at', 'desc')
    .orderBy('api_key_id')
    .execute();
}

/** How many keys of the organisation open something, counted by one transaction at a time. */
export async function countOpen(tx: Tx, at: Date): Promise<number> {
  await tx.selectFrom('organisations').select('organisation_id').forUpdate().execute();
  const { count } = await tx
    .selectFrom('api_keys')
    .select((all) => all.fn.countAll<string>().as('count'))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function addApiKey(tx: Tx, row: Insertable<OrganisationTables['api_keys']>): Promise<void> {
  await tx.insertInto('api_keys').values(row).execute();
}

/** Ends a key; false when it had ended. */
export async function endApiKey(tx: Tx, apiKeyId: string, ended: { readonly at: Date; readonly by: string }): Promise<boolean> {
  const changed = await tx
    .updateTable('api_keys')
    .set({ ended_at: ended.at, ended_by: ended.by })
    .where('api_key_id', '=', apiKeyId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Ends every key that acts for a person; returns their ids. */
export async function endApiKeysOf(tx: Tx, accountId: string, ended: { readonly at: Date; readonly by: string }): Promise<string[]> {
  const rows = await tx
    .updateTable('api_keys')
    .set({ ended_at: ended.at, ended_by: ended.by })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .returning('api_key_id')
    .execute();
  return rows.map((row) => row.api_key_id);
}

export async function noteUse(tx: Tx, apiKeyId: string, use: { readonly at: Date; readonly address: string }): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ last_used_at: use.at, last_used_address: use.address })
    .where('api_key_id', '=', apiKeyId)
    .execute();
}
