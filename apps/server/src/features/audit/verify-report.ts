/** What a verification of the log found. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly events: number;
  readonly checkpoints: number;
  /** What does not fit, each named; at most a hundred. */
  readonly problems: readonly string[];
}
