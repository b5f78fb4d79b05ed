import type { InstallationTables, InstallationTx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { AnyTx } from './accounts.store.ts';

export type Challenge = Selectable<InstallationTables['sign_in_challenges']>;

export async function addChallenge(tx: AnyTx, challenge: Insertable<InstallationTables['sign_in_challenges']>): Promise<void> {
  await (tx as InstallationTx).insertInto('sign_in_challenges').values(challenge).execute();
}

/** A challenge that can still be answered at `now`. */
export function openChallenge(tx: AnyTx, hash: Buffer, now: Date): Promise<Challenge | undefined> {
  return (tx as InstallationTx)
    .selectFrom('sign_in_challenges')
    .selectAll()
    .where('challenge_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
}

/** Puts a new code in place of the one before; attempts are kept. */
export async function setCode(tx: AnyTx, hash: Buffer, code: { readonly mac: Buffer; readonly expiresAt: Date }): Promise<void> {
  await (tx as InstallationTx)
    .updateTable('sign_in_challenges')
    .set({ code_mac: code.mac, code_expires_at: code.expiresAt })
    .where('challenge_hash', '=', hash)
    .execute();
}

/** Counts an attempt before it is looked at; undefined when there is none left. The last one ends the challenge unless it is right. */
export async function reserveChallengeAttempt(tx: AnyTx, hash: Buffer, limit: number): Promise<number | undefined> {
  const counted = await (tx as InstallationTx)
    .updateTable('sign_in_challenges')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('challenge_hash', '=', hash)
    .where('attempts', '<', limit)
    .where('completed_at', 'is', null)
    .where('failed_at', 'is', null)
    .returning('attempts')
    .executeTakeFirst();
  return counted?.attempts;
}

/** Completes a challenge; of two at once one does. */
export async function completeChallenge(tx: AnyTx, hash: Buffer, at: Date): Promise<boolean> {
  const done = await (tx as InstallationTx)
    .updateTable('sign_in_challenges')
    .set({ completed_at: at, code_mac: null })
    .where('challenge_hash', '=', hash)
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

export async function failChallenge(tx: AnyTx, hash: Buffer, at: Date): Promise<void> {
  await (tx as InstallationTx)
    .updateTable('sign_in_challenges')
    .set({ failed_at: at, code_mac: null })
    .where('challenge_hash', '=', hash)
    .execute();
}

/** How many challenges of an account were answered wrongly and not completed since a time. */
export async function unsuccessfulSince(tx: AnyTx, accountId: string, since: Date): Promise<number> {
  const row = await (tx as InstallationTx)
    .selectFrom('sign_in_challenges')
    .select((count) => count.fn.countAll<number>().as('many'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .where('completed_at', 'is', null)
    .where('attempts', '>', 0)
    .executeTakeFirstOrThrow();
  return row.many;
}

/** Notes a send if there is one left in the window; false when there is none. One at a time per account. */
export async function noteSend(
  tx: AnyTx,
  send: { readonly id: string; readonly accountId: string; readonly at: Date; readonly since: Date; readonly limit: number },
): Promise<boolean> {
  const own = tx as InstallationTx;
  await own.selectFrom('accounts').select('id').where('id', '=', send.accountId).forUpdate().execute();
  const row = await own
    .selectFrom('code_sends')
    .select((count) => count.fn.countAll<number>().as('many'))
    .where('account_id', '=', send.accountId)
    .where('sent_at', '>', send.since)
    .executeTakeFirstOrThrow();
  if (row.many >= send.limit) return false;
  await own.insertInto('code_sends').values({ id: send.id, account_id: send.accountId, sent_at: send.at }).execute();
  return true;
}
