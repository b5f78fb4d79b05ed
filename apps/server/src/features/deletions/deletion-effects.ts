import { quarantineHours } from '@holdfast/contract/deletions';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { ApprovalEffects, Dropped } from '../approvals/index.ts';
import type { DeletionsStore } from './deletions.store.ts';
import { changedSince } from './listed-messages.store.ts';

const HOUR_MS = 3_600_000;

/** How a request that ended without a decision is told; a rejection is one. */
const RETURNS = { withdrawn: 'withdrawn', expired: 'expired' } as const satisfies Partial<Record<Dropped['outcome'], string>>;

/** A second person starts the quarantine of a deletion, or rejects it with a reason. A list that has changed goes back to a draft. */
export function deletionEffects({ store, clock }: { readonly store: DeletionsStore; readonly clock: Clock }): ApprovalEffects {
  return {
    async apply(tx, { subjectId, decider, mode }) {
      const row = await store.read(tx, subjectId, { isLocked: true });
      // Nobody deletes messages alone, however long they wait.
      if (row?.state !== 'waiting' || mode !== 'secondPerson' || decider === null) return false;
      if ((await changedSince(tx, subjectId)) > 0) {
        await store.change(tx, subjectId, { state: 'draft', returned: 'listChanged', returned_by: null });
        return false;
      }
      const at = now(clock);
      const due = new Date(at.getTime() + quarantineHours * HOUR_MS);
      await store.change(tx, subjectId, { state: 'approved', approver: decider, decided_at: at, due_at: due });
      return true;
    },
    async drop(tx, { subjectId, outcome, by, reason }) {
      const row = await store.read(tx, subjectId, { isLocked: true });
      if (row?.state !== 'waiting') return;
      if (outcome === 'refused') {
        await store.change(tx, subjectId, { state: 'rejected', approver: by, decided_at: now(clock), rejection: reason });
        return;
      }
      await store.change(tx, subjectId, { state: 'draft', returned: RETURNS[outcome], returned_by: by });
    },
  };
}
