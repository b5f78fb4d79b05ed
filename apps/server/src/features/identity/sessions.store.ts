import type { InstallationTables, InstallationTx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { AnyTx } from './accounts.store.ts';

export type Session = Selectable<InstallationTables['sessions']>;
export type SessionToken = Selectable<InstallationTables['session_tokens']>;

/** Processes hear on this channel whose sessions changed, and forget what they remembered. */
export const sessionsChannel = 'holdfast_sessions';

export async function addSession(tx: AnyTx, session: Insertable<InstallationTables['sessions']>): Promise<void> {
  await (tx as InstallationTx).insertInto('sessions').values(session).execute();
}

export async function addTokens(tx: AnyTx, tokens: readonly Insertable<InstallationTables['session_tokens']>[]): Promise<void> {
  await (tx as InstallationTx).insertInto('session_tokens').values(tokens).execute();
}

export interface TokenWithSession {
  readonly token: SessionToken;
  readonly session: Session;
}

/** A token by its hash, with its session; ended sessions too. `lock` keeps others from changing either until the end. */
export async function findToken(tx: AnyTx, hash: Buffer, lock = false): Promise<TokenWithSession | undefined> {
  const own = tx as InstallationTx;
  const query = own.selectFrom('session_tokens').selectAll().where('token_hash', '=', hash);
  const token = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!token) return undefined;
  const sessions = own.selectFrom('sessions').selectAll().where('id', '=', token.session_id);
  const session = await (lock ? sessions.forUpdate() : sessions).executeTakeFirst();
  return session && { token, session };
}

export async function markReplaced(tx: AnyTx, hash: Buffer, at: Date): Promise<void> {
  await (tx as InstallationTx).updateTable('session_tokens').set({ replaced_at: at }).where('token_hash', '=', hash).execute();
}

/** Takes a pass away for good, so that of two who come with it one has it. */
export async function takePass(tx: AnyTx, hash: Buffer): Promise<boolean> {
  const taken = await (tx as InstallationTx)
    .deleteFrom('session_tokens')
    .where('token_hash', '=', hash)
    .where('kind', '=', 'download')
    .executeTakeFirst();
  return taken.numDeletedRows > 0n;
}

/** Removes the passes of a session that nobody came with in time. */
export async function removeLapsedPasses(tx: AnyTx, sessionId: string, at: Date): Promise<void> {
  await (tx as InstallationTx)
    .deleteFrom('session_tokens')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'download')
    .where('expires_at', '<=', at)
    .execute();
}

export async function touchSession(tx: AnyTx, id: string, at: Date): Promise<void> {
  await (tx as InstallationTx)
    .updateTable('sessions')
    .set({ last_active_at: at })
    .where('id', '=', id)
    .where('last_active_at', '<', at)
    .execute();
}

export async function slideCookie(tx: AnyTx, sessionId: string, hash: Buffer, until: Date): Promise<void> {
  const own = tx as InstallationTx;
  await own.updateTable('session_tokens').set({ expires_at: until }).where('token_hash', '=', hash).execute();
  await own.updateTable('sessions').set({ ends_at: until }).where('id', '=', sessionId).execute();
}

export async function upgradeSession(tx: AnyTx, id: string, amr: 'pwd' | 'mfa'): Promise<void> {
  await (tx as InstallationTx).updateTable('sessions').set({ amr }).where('id', '=', id).execute();
  await announce(tx, id);
}

/** Tells every process, when this transaction commits, to forget what it remembers of sessions. */
export async function announce(tx: AnyTx, what: string): Promise<void> {
  await sql`select pg_notify(${sessionsChannel}, ${what})`.execute(tx);
}

/** Ends one session and all its tokens. Returns whether it was still going. */
export async function endSession(tx: AnyTx, id: string, at: Date, why: string): Promise<boolean> {
  const ended = await (tx as InstallationTx)
    .updateTable('sessions')
    .set({ ended_at: at, ended_why: why })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  await announce(tx, id);
  return ended.numUpdatedRows > 0n;
}

/** Ends the sessions of an account, all or all but one. Returns how many. */
export async function endSessions(
  tx: AnyTx,
  ending: { readonly accountId: string; readonly at: Date; readonly why: string; readonly except?: string },
): Promise<number> {
  const query = (tx as InstallationTx)
    .updateTable('sessions')
    .set({ ended_at: ending.at, ended_why: ending.why })
    .where('account_id', '=', ending.accountId)
    .where('ended_at', 'is', null);
  const ended = await (ending.except === undefined ? query : query.where('id', '!=', ending.except)).executeTakeFirst();
  await announce(tx, ending.accountId);
  return Number(ended.numUpdatedRows);
}

/** Ends the open sessions of an account for one organisation; others are not affected. */
export async function closeSessions(tx: AnyTx, accountId: string, organisationId: string): Promise<void> {
  await (tx as InstallationTx)
    .updateTable('sessions')
    .set({ closed_to: sql<string[]>`array_append(array_remove(closed_to, ${organisationId}::uuid), ${organisationId}::uuid)` })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute();
  await announce(tx, accountId);
}

/** Lets a session reach an organisation again. */
export async function reopenSession(tx: AnyTx, sessionId: string, organisationId: string): Promise<void> {
  await (tx as InstallationTx)
    .updateTable('sessions')
    .set({ closed_to: sql<string[]>`array_remove(closed_to, ${organisationId}::uuid)` })
    .where('id', '=', sessionId)
    .execute();
}

/** The sessions of an account that are still going. */
export function liveSessions(tx: AnyTx, accountId: string, now: Date): Promise<Session[]> {
  return (tx as InstallationTx)
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .orderBy('last_active_at', 'asc')
    .execute();
}

/** Lets the refresh tokens of a session outlive a change of the stamp that this session made itself. */
export async function restampSession(tx: AnyTx, sessionId: string, stamp: string): Promise<void> {
  await (tx as InstallationTx).updateTable('session_tokens').set({ security_stamp: stamp }).where('session_id', '=', sessionId).execute();
}

/** Moves the end of a session on; upstream's refresh tokens renew themselves. */
export async function extendSession(tx: AnyTx, sessionId: string, until: Date): Promise<void> {
  await (tx as InstallationTx).updateTable('sessions').set({ ends_at: until }).where('id', '=', sessionId).execute();
}

/** Removes what has been over for a month. */
export async function removeOldSessions(tx: AnyTx, before: Date): Promise<void> {
  const own = tx as InstallationTx;
  await own.deleteFrom('sessions').where('ends_at', '<', before).execute();
  await own.deleteFrom('account_codes').where('expires_at', '<', before).execute();
  await own.deleteFrom('sign_in_challenges').where('expires_at', '<', before).execute();
  await own.deleteFrom('sign_in_failures').where('last_at', '<', before).execute();
  await own.deleteFrom('code_sends').where('sent_at', '<', before).execute();
  await own.deleteFrom('remembered_machines').where('expires_at', '<', before).execute();
}
