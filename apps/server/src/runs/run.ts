import type { JobBody } from '@holdfast/contract/jobs';
import type { RunDetails, runTriggers } from '@holdfast/contract/monitoring';
import type { Workload } from '@holdfast/contract/values';

export type RunTrigger = (typeof runTriggers)[number];
/** How a run may end. */
export type RunEnd = 'successful' | 'defective' | 'failed' | 'cancelled';

/** A run to be queued. Its body is the job's as it was then: later changes of the job don't reach it. */
export interface NewRun {
  readonly tenantId: string;
  readonly jobId: string | null;
  readonly jobName: string;
  readonly type: JobBody['type'];
  readonly workload: Workload | null;
  readonly locationId: string | null;
  readonly body: JobBody;
  readonly trigger: RunTrigger;
  readonly startedBy: string | null;
  /** The account whose rights it uses; without one it opens no content of others. */
  readonly onBehalfOf?: string | null;
  readonly dueAt?: Date;
}

/** A run that no job has planned. It is called like its body, or by a name of its own. */
export function unplannedRun(
  tenantId: string,
  body: JobBody,
  by: Pick<NewRun, 'trigger' | 'startedBy' | 'onBehalfOf'>,
  jobName: string = body.name,
): NewRun {
  return { tenantId, jobId: null, jobName, type: body.type, workload: null, locationId: null, body, ...by };
}

/** A run that this worker has taken. `fence` proves it: what an older holder writes is refused. */
export interface ClaimedRun {
  readonly runId: string;
  readonly tenantId: string;
  readonly jobId: string | null;
  readonly jobName: string;
  readonly type: JobBody['type'];
  readonly workload: Workload | null;
  readonly locationId: string | null;
  readonly body: JobBody;
  /** The account whose rights it uses. */
  readonly onBehalfOf: string | null;
  readonly fence: number;
  readonly isResumed: boolean;
  /** For how long it has waited before. */
  readonly waited: RunDetails['waited'];
}

/** What a run has done so far. */
export interface RunFigures {
  readonly stage: string;
  readonly progress: number;
  readonly processed: number;
  readonly total: number | null;
  readonly bytes: number;
  readonly itemsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly errors: number;
  readonly waiting: { readonly code: string; readonly since: string } | null;
  readonly waited: RunDetails['waited'];
}

export interface RunCountsSoFar {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly excluded: number;
  readonly newBytes: number;
  readonly storedBytes: number;
}
