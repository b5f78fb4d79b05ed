/** A run's state and, once it has ended, its result. */
export const runStatuses = ['pending', 'running', 'cancelling', 'successful', 'defective', 'failed', 'cancelled', 'skipped'] as const;
type RunStatus = (typeof runStatuses)[number];

/** The states of a run that has not ended. */
export const activeRunStatuses = ['pending', 'running', 'cancelling'] as const satisfies readonly RunStatus[];

/** Whether a run has not ended; of a job or an export, whether its run has not. */
export function isUnderWay({ status }: { readonly status: string }): boolean {
  return activeRunStatuses.some((active) => active === status);
}
