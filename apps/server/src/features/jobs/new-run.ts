import type { NewRun, RunTrigger } from '../../runs/index.ts';
import type { StoredJob } from './jobs.store.ts';

/** The run of a job as the job is now. What a schedule starts uses the rights of whoever saved the job last. */
export function newRunOf(
  job: StoredJob,
  why: { readonly trigger: RunTrigger; readonly startedBy: string | null; readonly onBehalfOf: string | null },
): NewRun {
  return {
    tenantId: job.tenantId,
    jobId: job.jobId,
    jobName: job.name,
    type: job.type,
    workload: job.workload,
    locationId: job.locationId,
    body: job.body,
    ...why,
  };
}
