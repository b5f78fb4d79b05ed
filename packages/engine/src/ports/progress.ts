export const stages = ['preparing', 'enumerating', 'reading', 'committing', 'restoring', 'checking', 'finished'] as const;
export type Stage = (typeof stages)[number];

/** Where a run stands. `processed` and `bytes` never go back; `total` is absent until it is known. */
export interface ProgressReport {
  readonly stage: Stage;
  readonly processed: number;
  readonly total?: number;
  readonly bytes: number;
  readonly itemsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly errors: number;
}

/** Told of progress as it is made; must return at once. The receiver throttles. */
export interface Progress {
  report(state: ProgressReport): void;
}

/** A progress that nobody watches. */
export const silentProgress: Progress = Object.freeze({ report: () => undefined });
