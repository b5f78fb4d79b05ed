import type { InstallationTx } from '@holdfast/database';
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

export async function addCode(tx: AnyTx, code: NewCode): Promise<void> {
  const own = tx as InstallationTx;
  if (code.voidsOthers) await voidCodes(tx, code.accountId, [code.purpose]);
  await own
    .insertInto('account_codes')
    .values({
      code_hash: code.hash,
      account_id: code.accountId,
      purpose: code.purpose,
      security_stamp: code.stamp,
      new_email: code.newEmail ?? null,
      session_id: code.sessionId ?? null,
      created_at: code.createdAt,
      expires_at: code.expiresAt,
    })
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
