import type { InstallationTables, InstallationTx, Tx } from '@holdfast/database';
import { isUuid } from '@holdfast/foundation/ids';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';

/** An account as it is stored. Only this feature sees it; nothing of it leaves as it is. */
export type Account = Selectable<InstallationTables['accounts']>;
/** Accounts belong to no organisation: a transaction of either kind reaches them. */
export type AnyTx = Tx | InstallationTx;

/** The account of an id; an id that is none belongs to nobody. */
export async function accountById(tx: AnyTx, id: string): Promise<Account | undefined> {
  if (!isUuid(id)) return undefined;
  return (tx as InstallationTx).selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

export function accountByEmail(tx: AnyTx, normalisedEmail: string): Promise<Account | undefined> {
  return (tx as InstallationTx).selectFrom('accounts').selectAll().where('normalised_email', '=', normalisedEmail).executeTakeFirst();
}

export interface NewAccount {
  readonly id: string;
  readonly email: string;
  readonly normalisedEmail: string;
  readonly passwordHash: string | null;
  readonly securityStamp: string;
  readonly emailConfirmed: boolean;
  readonly lockoutEnabled: boolean;
  readonly language: 'en' | 'de';
  readonly createdAt: Date;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phoneNumber?: string;
  readonly vouchedAt?: Date;
}

/** Adds an account; false when the address is taken by then. */
export async function addAccount(tx: AnyTx, account: NewAccount): Promise<boolean> {
  const added = await (tx as InstallationTx)
    .insertInto('accounts')
    .values({
      id: account.id,
      email: account.email,
      normalised_email: account.normalisedEmail,
      user_name: account.email,
      password_hash: account.passwordHash,
      security_stamp: account.securityStamp,
      email_confirmed: account.emailConfirmed,
      lockout_enabled: account.lockoutEnabled,
      language: account.language,
      created_at: account.createdAt,
      first_name: account.firstName ?? '',
      last_name: account.lastName ?? '',
      phone_number: account.phoneNumber ?? '',
      vouched_at: account.vouchedAt ?? null,
    })
    .onConflict((conflict) => conflict.column('normalised_email').doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export interface AccountChange {
  readonly email?: string;
  readonly normalised_email?: string;
  readonly user_name?: string;
  readonly password_hash?: string;
  readonly email_confirmed?: boolean;
  readonly security_stamp?: string;
  readonly totp_key?: Buffer | null;
  readonly totp_enabled?: boolean;
  readonly recovery_salt?: Buffer | null;
  readonly failed_count?: number;
  readonly locked_until?: Date | null;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone_number?: string;
  readonly language?: 'en' | 'de';
  readonly summary_mails?: boolean;
  readonly last_sign_in_at?: Date;
  readonly vouched_at?: Date;
}

export async function changeAccount(tx: AnyTx, id: string, change: AccountChange): Promise<void> {
  await (tx as InstallationTx).updateTable('accounts').set(change).where('id', '=', id).execute();
}

export async function hasAccounts(tx: AnyTx): Promise<boolean> {
  return (await (tx as InstallationTx).selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The lockout rule at a moment. */
export interface LockoutRule {
  readonly limit: number;
  readonly lockedUntil: Date;
  readonly now: Date;
}

/**
 * Counts an attempt before it is looked at, in one statement, so that parallel guesses never exceed the
 * limit: the one that reaches it locks and resets the counter. Undefined: locked, nothing was counted.
 */
export async function reserveAttempt(tx: AnyTx, accountId: string, rule: LockoutRule): Promise<{ readonly locked: boolean } | undefined> {
  const changed = await (tx as InstallationTx)
    .updateTable('accounts')
    .set({
      locked_until: sql<Date | null>`case when lockout_enabled and failed_count + 1 >= ${rule.limit} then ${rule.lockedUntil}::timestamptz else locked_until end`,
      failed_count: sql<number>`case when not lockout_enabled or failed_count + 1 >= ${rule.limit} then 0 else failed_count + 1 end`,
    })
    .where('id', '=', accountId)
    .where((or) => or.or([or('locked_until', 'is', null), or('locked_until', '<=', rule.now), or('lockout_enabled', '=', false)]))
    .returning(['lockout_enabled', 'failed_count', 'locked_until'])
    .executeTakeFirst();
  if (!changed) return undefined;
  return {
    locked: changed.lockout_enabled && changed.failed_count === 0 && changed.locked_until?.getTime() === rule.lockedUntil.getTime(),
  };
}

/** Takes a reserved attempt back: it was right. Failures before it stay counted. */
export async function undoAttempt(tx: AnyTx, accountId: string, rule: LockoutRule): Promise<void> {
  const ours = sql<boolean>`locked_until = ${rule.lockedUntil}::timestamptz`;
  await (tx as InstallationTx)
    .updateTable('accounts')
    .set({
      failed_count: sql<number>`case when ${ours} then ${rule.limit - 1} else greatest(failed_count - 1, 0) end`,
      locked_until: sql<Date | null>`case when ${ours} then null else locked_until end`,
    })
    .where('id', '=', accountId)
    .execute();
}

/** Claims a step of an authenticator; false when it has been used. */
export async function claimTotpStep(tx: AnyTx, accountId: string, step: number): Promise<boolean> {
  const own = tx as InstallationTx;
  await own
    .deleteFrom('used_totp_steps')
    .where('account_id', '=', accountId)
    .where('step', '<', step - 20)
    .execute();
  const added = await own
    .insertInto('used_totp_steps')
    .values({ account_id: accountId, step })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function replaceRecoveryCodes(tx: AnyTx, accountId: string, salt: Buffer, hashes: readonly Buffer[]): Promise<void> {
  const own = tx as InstallationTx;
  await own.updateTable('accounts').set({ recovery_salt: salt }).where('id', '=', accountId).execute();
  await own.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  await own
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute();
}

/** Uses a recovery code up; of two at once one wins. */
export async function useRecoveryCode(tx: AnyTx, accountId: string, codeHash: Buffer): Promise<boolean> {
  const removed = await (tx as InstallationTx)
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

export async function countRecoveryCodes(tx: AnyTx, accountId: string): Promise<number> {
  const row = await (tx as InstallationTx)
    .selectFrom('recovery_codes')
    .select((count) => count.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.left;
}

/** Remembers a machine that has passed the second factor. */
export async function rememberMachine(
  tx: AnyTx,
  machine: { readonly hash: Buffer; readonly accountId: string; readonly stamp: string; readonly expiresAt: Date },
): Promise<void> {
  await (tx as InstallationTx)
    .insertInto('remembered_machines')
    .values({ token_hash: machine.hash, account_id: machine.accountId, security_stamp: machine.stamp, expires_at: machine.expiresAt })
    .execute();
}

export async function isMachineRemembered(tx: AnyTx, hash: Buffer, account: Account, now: Date): Promise<boolean> {
  const found = await (tx as InstallationTx)
    .selectFrom('remembered_machines')
    .select('token_hash')
    .where('token_hash', '=', hash)
    .where('account_id', '=', account.id)
    .where('security_stamp', '=', account.security_stamp)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

export async function forgetMachine(tx: AnyTx, hash: Buffer): Promise<void> {
  await (tx as InstallationTx).deleteFrom('remembered_machines').where('token_hash', '=', hash).execute();
}

/** What an account chose last in a realm. */
export async function chosenBy(
  tx: AnyTx,
  accountId: string,
  realm: 'production' | 'staging',
): Promise<{ organisationId: string; workerId: string | null } | undefined> {
  const row = await (tx as InstallationTx)
    .selectFrom('account_choices')
    .select(['chosen_organisation_id', 'chosen_worker_id'])
    .where('account_id', '=', accountId)
    .where('realm', '=', realm)
    .executeTakeFirst();
  return row && { organisationId: row.chosen_organisation_id, workerId: row.chosen_worker_id };
}

export async function choose(
  tx: AnyTx,
  choice: { accountId: string; realm: 'production' | 'staging'; organisationId: string; workerId: string | null },
): Promise<void> {
  await (tx as InstallationTx)
    .insertInto('account_choices')
    .values({
      account_id: choice.accountId,
      realm: choice.realm,
      chosen_organisation_id: choice.organisationId,
      chosen_worker_id: choice.workerId,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'realm'])
        .doUpdateSet({ chosen_organisation_id: choice.organisationId, chosen_worker_id: choice.workerId }),
    )
    .execute();
}

export async function accountsByIds(tx: AnyTx, ids: readonly string[]): Promise<Account[]> {
  if (ids.length === 0) return [];
  return (tx as InstallationTx).selectFrom('accounts').selectAll().where('id', 'in', ids).execute();
}
