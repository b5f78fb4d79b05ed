import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { BudgetAnswer, BudgetCharge, BudgetClaim, BudgetPort, Priority, SlotCharge, WindowCharge } from './budget-port.ts';
import { createSpendingWindow, type SpendingWindow } from './spending-window.ts';

interface Bucket {
  pausedUntilMs: number;
  /** While this lies ahead, a restore uses the bucket and its slots are kept free for it. */
  restoreUntilMs: number;
  readonly windows: Map<string, SpendingWindow>;
  /** Grant → end of its lease. */
  readonly slots: Map<string, number>;
}

type Refusal = Extract<BudgetAnswer, { granted: false }>;

const RESTORE_LINGERS_MS = 30_000;
/** Slots are given back at any moment; who waits asks again soon, or is woken by its own process. */
const SLOT_POLL_MS = 50;

/** What this priority may have spent before, so that the cost still fits. One request is never larger than the limit. */
function roomBefore(charge: WindowCharge, priority: Priority): number {
  const limit = priority === 'restore' ? charge.limit : charge.limit - (charge.heldForRestores ?? 0);
  return Math.max(0, limit - charge.cost);
}

/** Budgets of one process, on the monotonic time of `clock`. Many processes need the implementation over a database. */
export function createMemoryBudgets(options: { readonly clock: Clock; readonly ids: Ids }): BudgetPort {
  const { clock, ids } = options;
  const buckets = new Map<string, Bucket>();
  const grants = new Map<string, readonly string[]>();

  function bucketOf(name: string): Bucket {
    let bucket = buckets.get(name);
    if (!bucket) {
      bucket = { pausedUntilMs: 0, restoreUntilMs: 0, windows: new Map(), slots: new Map() };
      buckets.set(name, bucket);
    }
    return bucket;
  }

  function windowOf(bucket: Bucket, charge: WindowCharge): SpendingWindow {
    let window = bucket.windows.get(charge.name);
    if (!window) {
      window = createSpendingWindow(charge.limit, charge.windowMs);
      bucket.windows.set(charge.name, window);
    }
    return window;
  }

  function slotsAreFull(bucket: Bucket, slots: SlotCharge, priority: Priority, nowMs: number): boolean {
    for (const [grant, endsAt] of bucket.slots) if (endsAt <= nowMs) bucket.slots.delete(grant);
    const held = priority === 'backup' && bucket.restoreUntilMs > nowMs ? slots.heldForRestores : 0;
    return bucket.slots.size >= slots.limit - held;
  }

  function refusal(charge: BudgetCharge, priority: Priority, nowMs: number): Refusal | undefined {
    const bucket = bucketOf(charge.bucket);
    const refuse = (reason: Refusal['reason'], waitMs: number): Refusal => ({ granted: false, bucket: charge.bucket, reason, waitMs });
    if (bucket.pausedUntilMs > nowMs) return refuse('paused', Math.ceil(bucket.pausedUntilMs - nowMs));
    for (const wanted of charge.windows) {
      const window = windowOf(bucket, wanted);
      const waitMs = window.waitMs(nowMs, roomBefore(wanted, priority));
      if (waitMs > 0) return refuse('window', Math.ceil(waitMs));
    }
    if (charge.slots && slotsAreFull(bucket, charge.slots, priority, nowMs)) return refuse('slots', SLOT_POLL_MS);
    return undefined;
  }

  function spend(charge: BudgetCharge, grantId: string, nowMs: number): void {
    const bucket = bucketOf(charge.bucket);
    for (const wanted of charge.windows) windowOf(bucket, wanted).spend(nowMs, Math.min(wanted.cost, wanted.limit));
    if (charge.slots) bucket.slots.set(grantId, nowMs + charge.slots.leaseMs);
  }

  return Object.freeze({
    take(claim: BudgetClaim): Promise<BudgetAnswer> {
      const nowMs = clock.monotonicMs();
      if (claim.priority === 'restore') {
        for (const charge of claim.charges) bucketOf(charge.bucket).restoreUntilMs = nowMs + RESTORE_LINGERS_MS;
      }
      let longest: Refusal | undefined;
      for (const charge of claim.charges) {
        const refused = refusal(charge, claim.priority, nowMs);
        if (refused && refused.waitMs > (longest?.waitMs ?? -1)) longest = refused;
      }
      if (longest) return Promise.resolve(longest);
      const grantId = ids.uuid();
      for (const charge of claim.charges) spend(charge, grantId, nowMs);
      const holding = claim.charges.filter((charge) => charge.slots).map((charge) => charge.bucket);
      if (holding.length > 0) grants.set(grantId, holding);
      return Promise.resolve({ granted: true, grantId });
    },
    giveBack(grantId: string) {
      for (const name of grants.get(grantId) ?? []) bucketOf(name).slots.delete(grantId);
      grants.delete(grantId);
      return Promise.resolve();
    },
    keep(grantId: string, forMs: number) {
      for (const name of grants.get(grantId) ?? []) bucketOf(name).slots.set(grantId, clock.monotonicMs() + forMs);
      return Promise.resolve();
    },
    pause(bucket: string, forMs: number) {
      const state = bucketOf(bucket);
      state.pausedUntilMs = Math.max(state.pausedUntilMs, clock.monotonicMs() + forMs);
      return Promise.resolve();
    },
    pausedForMs: (bucket: string) => Promise.resolve(Math.max(0, Math.ceil(bucketOf(bucket).pausedUntilMs - clock.monotonicMs()))),
  });
}
