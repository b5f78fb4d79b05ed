/** The right to commit to one resource, until `signal` aborts. */
export interface HeldLease {
  /** Grows with each taking of the lease: a commit with an older number is refused. */
  readonly fence: number;
  /** Aborted when the lease is lost; nothing may be committed afterwards. */
  readonly signal: AbortSignal;
  /** Asks the holder of the truth whether the lease is still ours; throws `lease.lost` when it is not. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

export type LeaseErrorCode = 'lease.taken' | 'lease.lost';

/** Who may commit: implemented by the server over PostgreSQL, with heartbeat and fencing numbers. */
export interface Lease {
  /** Takes the lease of a resource; `lease.taken` when another run holds it. */
  acquire(resourceId: string, runId: string): Promise<HeldLease>;
}
