import type { Disposition, DispositionBody, dispositions } from '@holdfast/contract/dispositions';
import type { Page } from '@holdfast/contract/paging';
import type { QueryOf } from '@holdfast/contract/route';
import type { Tx } from '@holdfast/database';
import { localDay } from '@holdfast/engine';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { windowOf } from '../../http/paging.ts';
import { actorEntry, timeZoneOf } from '../organisations/index.ts';
import { decideItems, lockOpen, type OpenItem } from './dispositions.store.ts';
import { dispositionsPage } from './dispositions.views.ts';
import { isDeleting } from './halts.service.ts';
import { isInForce, policyView } from './policy-view.ts';
import type { PolicyRow } from './policy-row.ts';
import type { RetentionAsking, RetentionParts } from './retention.service.ts';

/** Reviews of what is past a maximum: people decide, one stage after the other. */
export interface DispositionsService {
  list(asking: RetentionAsking, query: QueryOf<typeof dispositions.list>): Promise<Page<Disposition>>;
  /** Decides about all of the messages or none. */
  decide(asking: RetentionAsking, body: DispositionBody): Promise<{ decided: number }>;
}

const DAY_MS = 86_400_000;

/** Whoever decides is a reviewer of the stage, and has decided about the message at no earlier one. */
function requireReviewer(row: PolicyRow, accountId: string, items: readonly OpenItem[]): void {
  for (const { stage, deciders } of items) {
    const { reviewers = [] } = policyView(row).stages[stage - 1] ?? {};
    if (!reviewers.some(({ userId }) => userId === accountId))
      throw new AppError('retention.not-reviewer', { details: { reviewers: reviewers.map(({ email }) => email).join(', ') } });
    if (deciders.includes(accountId)) throw new AppError('retention.decided-before');
  }
}

export function createDispositions({ store, audit, clock }: Pick<RetentionParts, 'store' | 'audit' | 'clock'>): DispositionsService {
  /** What a decision names has to be there: a day that is not over, or a policy in force that messages can come under. */
  async function requireTarget(tx: Tx, row: PolicyRow, { until, toPolicyId }: DispositionBody): Promise<PolicyRow | null> {
    const today = localDay(clock.nowMs(), await timeZoneOf(tx));
    if (until !== null && until <= today) throw new AppError('retention.until-past', { details: { field: 'until' } });
    if (toPolicyId === null) return null;
    const other = await store.read(tx, toPolicyId);
    const isOther = isInForce(other) && other.tenant_id === row.tenant_id && other.about === 'messages' && toPolicyId !== row.policy_id;
    if (!isOther) throw new AppError('retention.not-active', { details: { field: 'toPolicyId' } });
    return other;
  }

  async function find(tx: Tx, { tenantId }: RetentionAsking, policyId: string): Promise<PolicyRow> {
    const row = await store.read(tx, policyId);
    if (row?.tenant_id !== tenantId) throw new AppError('not-found');
    if (!isDeleting(row)) throw new AppError('retention.not-deleting');
    return row;
  }

  return Object.freeze<DispositionsService>({
    list: ({ scope, tenantId, actor }, { policyId, search, sort, ...paging }) =>
      store.within(scope, (tx) =>
        dispositionsPage(
          tx,
          { tenantId, accountId: actor.accountId, policyId, search, isNewestFirst: sort === '-since' },
          windowOf(paging),
        ),
      ),
    decide: (asking, body) =>
      store.within(asking.scope, async (tx) => {
        const { actor, caller } = asking;
        const { policyId, messages, decision, until, toPolicyId, reason } = body;
        await store.lock(tx, 'obeying');
        const row = await find(tx, asking, policyId);
        const wanted = new Set(messages.map(({ mailboxId, messageId }) => `${mailboxId} ${messageId}`));
        const items = await lockOpen(tx, policyId, messages);
        if (new Set(items.map((item) => `${item.resourceId} ${item.messageId}`)).size !== wanted.size)
          throw new AppError('retention.not-waiting');
        requireReviewer(row, actor.accountId, items);
        const other = await requireTarget(tx, row, body);
        const at = now(clock);
        const by = { accountId: actor.accountId, email: actor.email };
        await decideItems(tx, { policyId, stages: row.stages.length, items }, { decision, until, toPolicyId, reason, by, at });
        // What goes is listed with the next look, and the next stage hears of what is new to it within a day.
        await store.change(tx, policyId, {
          look_at: at,
          remind_at: new Date(Math.min(row.remind_at?.getTime() ?? Infinity, at.getTime() + DAY_MS)),
        });
        await audit.record(tx, {
          event: 'retention.reviewed',
          actor: actorEntry(actor, caller),
          subject: { kind: 'policy', id: policyId, name: row.name },
          reason,
          details: {
            decision,
            stages: [...new Set(items.map(({ stage }) => stage))].join(', '),
            of: row.stages.length,
            messages: items.length,
            until,
            policy: other?.name ?? null,
            hashes: items.map(({ messageId }) => messageId),
          },
        });
        return { decided: items.length };
      }),
  });
}
