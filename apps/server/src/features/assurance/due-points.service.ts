import type { BodyOf } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { Scope } from '@holdfast/database';
import { isAppError } from '@holdfast/foundation/errors';
import { pointsOf, type DeletionKindOptions } from './deletion.kind.ts';

/** Counts what the deletion jobs of a tenant would take if they ran now, judged as their runs do. */
export type DuePoints = (scope: Scope, tenantId: string, workloads: readonly Workload[]) => Promise<number | null>;

/** A point that two jobs would take is due once for each. Null without such a job, and while Microsoft 365 cannot be asked. */
export function createDuePoints(options: DeletionKindOptions): DuePoints {
  return async (scope, tenantId, workloads) => {
    const jobs = await options.store.deletionJobs(scope, tenantId, workloads);
    if (jobs.length === 0) return null;
    let due = 0;
    try {
      for (const body of jobs) due += (await pointsOf(options, scope, tenantId, body as BodyOf<'deletion'>)).toDelete;
    } catch (error) {
      // A report is worth having without this figure; what is no outage is a defect and is not hidden.
      if (isAppError(error)) return null;
      throw error;
    }
    return due;
  };
}
