import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { isInForce } from './policy-view.ts';
import { maximumOf, type PolicyRow } from './policy-row.ts';
import type { RetentionStore } from './retention.store.ts';

/** A policy deletes nothing any longer; `by` whom, or null where it has ended or another one has taken its place. */
export interface Halt {
  readonly policyId: string;
  readonly by: string | null;
}

/** Told in the transaction in which a policy is halted: what it has listed does not go. */
export type OnHalted = (tx: Tx, halt: Halt) => Promise<void>;

/** The end of the deletions of policies. */
export interface Halts {
  on(listener: OnHalted): void;
  /** Stops the deletions of a policy and answers it; undefined when it deletes nothing. */
  stop(tx: Tx, policyId: string, by: string): Promise<PolicyRow | undefined>;
  ended(tx: Tx, policyId: string): Promise<void>;
}

/** Whether a policy deletes what is past its maximum. */
export function isDeleting(row: PolicyRow | undefined): row is PolicyRow {
  return isInForce(row) && maximumOf(row) !== null && row.stopped_at === null;
}

export function createHalts({ store, clock }: { readonly store: RetentionStore; readonly clock: Clock }): Halts {
  const listeners: OnHalted[] = [];
  async function tell(tx: Tx, halt: Halt): Promise<void> {
    for (const listener of listeners) await listener(tx, halt);
  }
  return Object.freeze<Halts>({
    on: (listener) => void listeners.push(listener),
    async stop(tx, policyId, by) {
      await store.lock(tx, 'changing');
      if (!isDeleting(await store.read(tx, policyId))) return undefined;
      await store.change(tx, policyId, { stopped_at: now(clock), stopper: by, look_at: null });
      await tell(tx, { policyId, by });
      return store.read(tx, policyId);
    },
    ended: (tx, policyId) => tell(tx, { policyId, by: null }),
  });
}
