import type { InstallationTx } from '@holdfast/database';
import { sql } from 'kysely';
import type { AnyTx } from './accounts.store.ts';

/** The number of the advisory lock under which the first account is made: of two at once one wins. */
const SETUP_LOCK = 4_207_001;

/** Waits until nobody else makes the first account; held to the end of the transaction. */
export async function lockSetup(tx: AnyTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(tx);
}

/** Puts a new token in place of whatever was there. */
export async function replaceSetupToken(tx: AnyTx, hash: Buffer, expiresAt: Date): Promise<void> {
  const own = tx as InstallationTx;
  await own.deleteFrom('setup_tokens').execute();
  await own.insertInto('setup_tokens').values({ token_hash: hash, expires_at: expiresAt }).execute();
}

/** Uses a token up; false when it is not good any more. */
export async function takeSetupToken(tx: AnyTx, hash: Buffer, now: Date): Promise<boolean> {
  const taken = await (tx as InstallationTx)
    .deleteFrom('setup_tokens')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return taken.numDeletedRows > 0n;
}
