import type { InstallationTx } from '@holdfast/database';
import { sql } from 'kysely';
import type { AnyTx } from './accounts.store.ts';

export type CodePurpose = 'confirm' | 'change' | 'reset' | 'link';

export interface NewCode {
  readonly hash: Buffer;
  readonly accountId: string;
  readonly purpose: CodePurpose;
  readonly stamp: string;
  readonly newEmail?: string;
  /** The session that asked: it goes on when the code changes the account. */
  readonly sessionId?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The newest code of a purpose voids the others. */
  readonly voidsOthers: boolean;
}

/** Adds a code. For an account that is not there it does the same work and adds nothing. */
export async function addCode(tx: AnyTx, code: NewCode): Promise<void> {
  const own = tx as InstallationTx;
  if (code.voidsOthers) await voidCodes(tx, code.accountId, [code.purpose]);
  await own
    .insertInto('account_codes')
    .columns(['code_hash', 'account_id', 'purpose', 'security_stamp', 'new_email', 'session_id', 'created_at', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom('accounts')
        .select([
          sql<Buffer>`${code.hash}::bytea`.as('code_hash'),
          'accounts.id',
          sql<CodePurpose>`${code.purpose}::text`.as('purpose'),
          sql<string>`${code.stamp}::text`.as('security_stamp'),
          sql<string | null>`${code.newEmail ?? null}::text`.as('new_email'),
          sql<string | null>`${code.sessionId ?? null}::uuid`.as('session_id'),
          sql<Date>`${code.createdAt}::timestamptz`.as('created_at'),
          sql<Date>`${code.expiresAt}::timestamptz`.as('expires_at'),
        ])
        .where('accounts.id', '=', code.accountId),
    )
    .execute();
}

export async function voidCodes(tx: AnyTx, accountId: string, purposes: readonly CodePurpose[]): Promise<number> {
  const removed = await (tx as InstallationTx)
    .deleteFrom('account_codes')
    .where('account_id', '=', accountId)
    .where('purpose', 'in', purposes)
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}

export interface FoundCode {
  readonly accountId: string;
  readonly purpose: CodePurpose;
  readonly stamp: string;
  readonly newEmail: string | null;
  readonly sessionId: string | null;
}

interface CodeRow {
  readonly account_id: string;
  readonly purpose: CodePurpose;
  readonly security_stamp: string;
  readonly new_email: string | null;
  readonly session_id: string | null;
}

const columns = ['account_id', 'purpose', 'security_stamp', 'new_email', 'session_id'] as const;

function found(row: CodeRow | undefined): FoundCode | undefined {
  return (
    row && {
      accountId: row.account_id,
      purpose: row.purpose,
      stamp: row.security_stamp,
      newEmail: row.new_email,
      sessionId: row.session_id,
    }
  );
}

/** A code that holds at `now`, for one of the purposes. */
export async function findCode(tx: AnyTx, hash: Buffer, purposes: readonly CodePurpose[], now: Date): Promise<FoundCode | undefined> {
  const row = await (tx as InstallationTx)
    .selectFrom('account_codes')
    .select(columns)
    .where('code_hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found(row);
}

/** Takes a code away, so that it works once; of two at once one gets it. */
export async function takeCode(tx: AnyTx, hash: Buffer, purposes: readonly CodePurpose[], now: Date): Promise<FoundCode | undefined> {
  const row = await (tx as InstallationTx)
    .deleteFrom('account_codes')
    .where('code_hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst();
  return found(row);
}
