import { leavesItsPlace } from '@holdfast/contract/restore';
import type { Database, Tx } from '@holdfast/database';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { RunContext, RunOf } from '../../runs/handler.ts';
import type { AuditInbox } from '../audit/index.ts';
import { noteOf, type ContentAccess } from '../content-access/index.ts';
import { actionOf, resourceOf } from './require-leave.ts';
import { mayRestoreTo } from './restore.policy.ts';

export interface StillAllowedParts {
  readonly database: Database;
  readonly contentAccess: ContentAccess;
  readonly audit: AuditInbox;
}

/** The account whose rights a run uses, with the role that it has now. */
async function holderOf(tx: Tx, accountId: string) {
  return tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['accounts.email', 'memberships.role'])
    .where('memberships.account_id', '=', accountId)
    .executeTakeFirst();
}

/** What a restore would be refused by, in the words for somebody who looks at its run. */
function ended(cause?: unknown): AppError {
  return new AppError('restore.right-ended', { cause });
}

/**
 * Refuses a run that lets content leave its place when the person it runs for may not do so any more: between the day that
 * a restore was asked for and the day that it runs, rights end and people leave. A restore to somebody else is logged here,
 * a download when it is fetched.
 */
export async function requireStillAllowed(
  { database, contentAccess, audit }: StillAllowedParts,
  { run, scope }: RunContext<RunOf<'restore'>>,
): Promise<void> {
  const { restore } = run.body;
  if (!leavesItsPlace(restore.target.kind)) return;
  const { tenantId, onBehalfOf: accountId } = run;
  await database.within(scope, async (tx) => {
    const resourceId = await resourceOf(tx, restore.sourceId);
    if (resourceId === undefined) return;
    const holder = accountId === null ? undefined : await holderOf(tx, accountId);
    if (accountId === null || !holder || !mayRestoreTo(holder.role, restore.target.kind)) throw ended();
    const wanted = { action: actionOf(restore.target), resourceId, items: restore.items };
    const ground = await contentAccess.requireBy(tx, { tenantId, accountId }, wanted).catch((error: unknown) => {
      throw isAppError(error) ? ended(error) : error;
    });
    if (restore.target.kind === 'download') return;
    await audit.record(tx, {
      event: 'content.restored',
      actor: { kind: 'account', id: accountId, name: holder.email },
      subject: { kind: 'run', id: run.runId, name: restore.sourceName },
      reason: restore.reason,
      details: { resourceId, ...noteOf(ground) },
    });
  });
}
