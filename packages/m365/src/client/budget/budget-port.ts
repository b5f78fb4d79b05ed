/**
 * The budgets of a tenant, kept where every worker sees them. One call takes what one request costs from all its
 * buckets at once, or takes nothing and says how long to wait. Implementations: memory (here) for one process, and a
 * database for many; both pass `budget.contract.ts`.
 */
export interface BudgetPort {
  /** Takes all charges of the claim, or nothing. Atomic over all buckets and all processes. */
  take(claim: BudgetClaim): Promise<BudgetAnswer>;
  /** Gives the slots of a grant back. Costs stay spent. Repeating it does no harm. */
  giveBack(grantId: string): Promise<void>;
  /** The request of a grant still goes on: its slots are held for `forMs` from now. Nothing when they were given back. */
  keep(grantId: string, forMs: number): Promise<void>;
  /** Stops a bucket for `forMs` from now. Never shortens a pause that is there. Survives a restart. */
  pause(bucket: string, forMs: number): Promise<void>;
  /** How long the bucket is still paused, 0 when it is not. */
  pausedForMs(bucket: string): Promise<number>;
}

/** Restores go before backups, and may spend what is held for them. */
export type Priority = 'restore' | 'backup';

export interface BudgetClaim {
  readonly priority: Priority;
  readonly charges: readonly BudgetCharge[];
}

/** What one request takes from one bucket. A bucket without windows and slots can still be paused. */
export interface BudgetCharge {
  /** Unique over tenants and applications, such as `outlook/{tenant}/{app}/{mailbox}`. */
  readonly bucket: string;
  readonly windows: readonly WindowCharge[];
  readonly slots?: SlotCharge;
}

/** A sliding window: in no span of `windowMs` is more than `limit` spent. */
export interface WindowCharge {
  /** Names the window within its bucket. */
  readonly name: string;
  readonly cost: number;
  readonly limit: number;
  readonly windowMs: number;
  /** What backups must leave of `limit` for restores. */
  readonly heldForRestores?: number;
}

/** Requests in flight. */
export interface SlotCharge {
  readonly limit: number;
  /** How many slots backups leave free while a restore uses the bucket. */
  readonly heldForRestores: number;
  /** A slot of a worker that died is free again after this time; one whose request goes on is kept by its gate. */
  readonly leaseMs: number;
}

export type BudgetAnswer =
  | { readonly granted: true; readonly grantId: string }
  | { readonly granted: false; readonly bucket: string; readonly reason: 'paused' | 'window' | 'slots'; readonly waitMs: number };
