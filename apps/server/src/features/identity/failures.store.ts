import type { InstallationTx } from '@holdfast/database';
import { sql } from 'kysely';
import type { AnyTx, LockoutRule } from './accounts.store.ts';

/** Wrong attempts that belong to no account: at addresses that nobody has, and from devices that are known. Kept by hash. */

/** Counts an attempt before it is looked at; the one that reaches the limit locks. Undefined: locked, nothing was counted. */
export async function reserveFailure(tx: AnyTx, counter: Buffer, rule: LockoutRule): Promise<{ readonly locked: boolean } | undefined> {
  const counted = await (tx as InstallationTx)
    .insertInto('sign_in_failures')
    .values({ address_hash: counter, failed_count: 1, locked_until: rule.limit <= 1 ? rule.lockedUntil : null, last_at: rule.now })
    .onConflict((conflict) =>
      conflict
        .column('address_hash')
        .doUpdateSet({
          locked_until: sql<Date | null>`case when sign_in_failures.failed_count + 1 >= ${rule.limit} then ${rule.lockedUntil}::timestamptz else sign_in_failures.locked_until end`,
          failed_count: sql<number>`case when sign_in_failures.failed_count + 1 >= ${rule.limit} then 0 else sign_in_failures.failed_count + 1 end`,
          last_at: rule.now,
        })
        .where((or) => or.or([or('sign_in_failures.locked_until', 'is', null), or('sign_in_failures.locked_until', '<=', rule.now)])),
    )
    .returning('locked_until')
    .executeTakeFirst();
  return counted && { locked: counted.locked_until !== null && counted.locked_until > rule.now };
}

/** Takes a reserved attempt back: it was right. Failures before it stay counted. */
export async function undoFailure(tx: AnyTx, counter: Buffer, rule: LockoutRule): Promise<void> {
  const ours = sql<boolean>`locked_until = ${rule.lockedUntil}::timestamptz`;
  await (tx as InstallationTx)
    .updateTable('sign_in_failures')
    .set({
      failed_count: sql<number>`case when ${ours} then ${rule.limit - 1} else greatest(failed_count - 1, 0) end`,
      locked_until: sql<Date | null>`case when ${ours} then null else locked_until end`,
    })
    .where('address_hash', '=', counter)
    .execute();
}

export async function isLockedOut(tx: AnyTx, counter: Buffer, at: Date): Promise<boolean> {
  const found = await (tx as InstallationTx)
    .selectFrom('sign_in_failures')
    .select('address_hash')
    .where('address_hash', '=', counter)
    .where('locked_until', '>', at)
    .executeTakeFirst();
  return found !== undefined;
}

export async function forgetFailures(tx: AnyTx, counter: Buffer): Promise<void> {
  await (tx as InstallationTx).deleteFrom('sign_in_failures').where('address_hash', '=', counter).execute();
}
