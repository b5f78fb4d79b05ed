import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { waitingAt } from './dispositions.store.ts';
import { isDeleting } from './halts.service.ts';
import type { RetentionStore } from './retention.store.ts';

/** What waits for the reviewers of one stage. */
export interface WaitingReview {
  readonly tenantId: string;
  readonly policy: string;
  readonly messages: number;
  /** The accounts that may decide. */
  readonly reviewers: readonly string[];
}

/** Mails the reviewers of a stage. The caller's transaction makes sure that it happens once. */
export type TellReviewers = (tx: Tx, scope: Scope, waiting: WaitingReview) => Promise<void>;

export interface DispositionReminderParts {
  readonly database: Database;
  readonly store: RetentionStore;
  readonly tell: TellReviewers;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Whoever has not decided by then is told again. */
const AGAIN_MS = 7 * 86_400_000;
const BATCH = 100;

async function remindOne({ store, tell, clock }: DispositionReminderParts, scope: Scope, policyId: string): Promise<void> {
  await store.within(scope, async (tx) => {
    if (!(await store.takeReminder(tx, policyId, now(clock)))) return;
    const row = await store.read(tx, policyId);
    const waiting = isDeleting(row) ? await waitingAt(tx, policyId) : new Map<number, number>();
    for (const [stage, messages] of waiting) {
      const reviewers = row?.stages[stage - 1] ?? [];
      if (row) await tell(tx, scope, { tenantId: row.tenant_id, policy: row.name, messages, reviewers });
    }
    await store.change(tx, policyId, { remind_at: waiting.size === 0 ? null : new Date(clock.nowMs() + AGAIN_MS) });
  });
}

/** Tells reviewers what waits for them, and again each week that it does. */
export async function remindReviewers(parts: DispositionReminderParts): Promise<void> {
  for (const { scope, policyId } of await parts.store.toRemind(now(parts.clock), BATCH)) {
    // One organisation whose reminder fails must not keep the others from theirs.
    await remindOne(parts, scope, policyId).catch((error: unknown) =>
      parts.logger.warn({ err: error, policyId }, 'reviewers of a policy could not be told what waits for them'),
    );
  }
}
