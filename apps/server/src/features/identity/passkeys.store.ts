import type { InstallationTables, InstallationTx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';
import type { AnyTx } from './accounts.store.ts';

/** A passkey as it is stored: the public half of a key whose other half never leaves the device. */
export type Passkey = Selectable<InstallationTables['passkeys']>;

export function passkeysOf(tx: AnyTx, accountId: string): Promise<Passkey[]> {
  return (tx as InstallationTx)
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function passkeyByCredential(tx: AnyTx, credentialId: Buffer): Promise<Passkey | undefined> {
  return (tx as InstallationTx).selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Which of the accounts have a passkey. */
export async function accountsWithPasskeys(tx: AnyTx, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const rows = await (tx as InstallationTx)
    .selectFrom('passkeys')
    .select('account_id')
    .distinct()
    .where('account_id', 'in', accountIds)
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

/** Adds a passkey; false when this credential is registered already, whoever with. */
export async function addPasskey(tx: AnyTx, passkey: Insertable<InstallationTables['passkeys']>): Promise<boolean> {
  const added = await (tx as InstallationTx)
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function removePasskey(tx: AnyTx, accountId: string, id: string): Promise<void> {
  await (tx as InstallationTx).deleteFrom('passkeys').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** Takes every passkey from an account: whoever has it now has proved it in another way. */
export async function removePasskeys(tx: AnyTx, accountId: string): Promise<void> {
  await (tx as InstallationTx).deleteFrom('passkeys').where('account_id', '=', accountId).execute();
}

/** Until the end of the transaction nothing else changes how this account is protected. */
export async function lockAccount(tx: AnyTx, accountId: string): Promise<void> {
  await (tx as InstallationTx).selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}

/** Moves the counter on; false when it does not grow, which a copy of the key gives away. Devices without one say zero. */
export async function moveCounter(tx: AnyTx, id: string, counter: number, at: Date): Promise<boolean> {
  const moved = await (tx as InstallationTx)
    .updateTable('passkeys')
    .set({ counter, last_used_at: at })
    .where('id', '=', id)
    .where((or) => or.or([or('counter', '<', counter), or.and([or('counter', '=', 0), or.lit(counter === 0)])]))
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

type Asked = Insertable<InstallationTables['passkey_challenges']>;

/** Notes what a device is asked to sign, and forgets what nobody answered in time. */
export async function addPasskeyChallenge(tx: AnyTx, asked: Asked, at: Date): Promise<void> {
  const own = tx as InstallationTx;
  await own.deleteFrom('passkey_challenges').where('expires_at', '<=', at).execute();
  await own.insertInto('passkey_challenges').values(asked).execute();
}

/** Takes a challenge away for good: an answer counts once, for what it was asked, where it was asked. */
export async function takePasskeyChallenge(
  tx: AnyTx,
  key: { readonly hash: Buffer; readonly purpose: Asked['purpose']; readonly boundTo: Buffer; readonly accountId: string | null },
  at: Date,
): Promise<boolean> {
  const taken = await (tx as InstallationTx)
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', key.hash)
    .where('purpose', '=', key.purpose)
    .where('bound_to', '=', key.boundTo)
    .where('account_id', key.accountId === null ? 'is' : '=', key.accountId)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return taken.numDeletedRows > 0n;
}
