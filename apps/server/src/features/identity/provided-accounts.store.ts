import type { InstallationTx, Scope } from '@holdfast/database';
import type { AnyTx } from './accounts.store.ts';

/** Somebody as the provider of one organisation knows them. */
export interface ProvidedKey {
  readonly organisationId: Scope['organisationId'];
  readonly issuer: string;
  readonly subject: string;
}

export async function providedAccount(tx: AnyTx, { organisationId, issuer, subject }: ProvidedKey): Promise<string | undefined> {
  const row = await (tx as InstallationTx)
    .selectFrom('provided_accounts')
    .select('account_id')
    .where('provider_of', '=', organisationId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id;
}

export async function addProvidedAccount(
  tx: AnyTx,
  { organisationId, issuer, subject }: ProvidedKey,
  accountId: string,
  at: Date,
): Promise<void> {
  await (tx as InstallationTx)
    .insertInto('provided_accounts')
    .values({ provider_of: organisationId, issuer, subject, account_id: accountId, created_at: at })
    .execute();
}
