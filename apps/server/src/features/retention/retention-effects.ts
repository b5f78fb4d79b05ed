import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { ApprovalEffects, Approvals } from '../approvals/index.ts';
import { rememberFitting } from './directory.store.ts';
import { inheritItems } from './dispositions.store.ts';
import { isInForce, statusOf, validUntil } from './policy-view.ts';
import type { Halts } from './halts.service.ts';
import { isOutdated, maximumOf, type PolicyRow } from './policy-row.ts';
import type { RetentionStore } from './retention.store.ts';

interface EffectsParts {
  readonly store: RetentionStore;
  readonly approvals: Pick<Approvals, 'lapse'>;
  readonly halts: Pick<Halts, 'ended'>;
  readonly clock: Clock;
}

/** Whether what a preview has counted is not what would come into force: it is older than a day, or its search has another query. */
const isTooOld = (row: PolicyRow, previewedAt: Date, at: Date): boolean => validUntil(previewedAt) <= at || isOutdated(row);

/**
 * A policy comes into force when a second person approves it, within a day of its preview; the one it replaces ends with that. What it
 * is to delete is looked for at once, and waits a day.
 */
export function activationEffects({ store, approvals, halts, clock }: EffectsParts): ApprovalEffects {
  /** False when the policy that is to be replaced has ended meanwhile: nobody has seen what that means. */
  async function endReplaced(tx: Tx, { policy_id: policyId, replaces }: PolicyRow): Promise<boolean> {
    if (replaces === null) return true;
    if (!isInForce(await store.read(tx, replaces))) return false;
    await store.change(tx, replaces, { ended_at: now(clock), end_asked_at: null, look_at: null });
    await halts.ended(tx, replaces);
    await inheritItems(tx, { from: replaces, to: policyId });
    await approvals.lapse(tx, { kind: 'retentionEnd', subjectId: replaces });
    return true;
  }
  return {
    async apply(tx, { subjectId, mode, decider }) {
      await store.lock(tx, 'changing');
      const row = await store.read(tx, subjectId);
      if (row === undefined || statusOf(row) !== 'waiting' || row.previewed_at === null) return false;
      const deletes = maximumOf(row) !== null;
      // Nobody deletes messages alone, however long they wait, nor goes by another query than the one that was previewed.
      if ((deletes || isOutdated(row)) && mode !== 'secondPerson') {
        await store.change(tx, subjectId, { asked_at: null });
        return false;
      }
      // Whoever has nobody to ask has waited a day since they saw the preview.
      if (mode === 'secondPerson' && isTooOld(row, row.previewed_at, now(clock))) throw new AppError('retention.preview-needed');
      const isFree = await endReplaced(tx, row);
      const at = now(clock);
      const activated = { activated_at: at, approver: decider, look_at: deletes ? at : null };
      await store.change(tx, subjectId, { asked_at: null, ...(isFree ? activated : {}) });
      if (isFree) await rememberFitting(tx, row.tenant_id, at);
      return isFree;
    },
    async drop(tx, { subjectId }) {
      await store.change(tx, subjectId, { asked_at: null });
    },
  };
}

/** A policy ends when a second person approves that. */
export function endEffects({ store, halts, clock }: Omit<EffectsParts, 'approvals'>): ApprovalEffects {
  return {
    async apply(tx, { subjectId }) {
      await store.lock(tx, 'changing');
      const row = await store.read(tx, subjectId);
      if (row === undefined || statusOf(row) !== 'ending') return false;
      await store.change(tx, subjectId, { ended_at: now(clock), end_asked_at: null, look_at: null });
      await halts.ended(tx, subjectId);
      return true;
    },
    async drop(tx, { subjectId }) {
      await store.change(tx, subjectId, { end_asked_at: null, end_reason: null });
    },
  };
}
