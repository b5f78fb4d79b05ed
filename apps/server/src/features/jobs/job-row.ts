import { completeBody, countSources } from '@holdfast/contract/jobs';
import type { Job, JobBody } from '@holdfast/contract/jobs';
import { completeSchedule } from '@holdfast/contract/jobs/schedule';

/** A job with its current or last run, as the view reads it. */
export interface JobRow {
  readonly job_id: string;
  readonly name: string;
  /** Null for kinds without a location. */
  readonly location_name: string | null;
  readonly body: JobBody;
  readonly creator: string;
  readonly created_at: Date;
  readonly next_run_at: Date | null;
  readonly version: number;
  readonly run_id: string | null;
  readonly run_status: Job['status'] | null;
  readonly run_started_at: Date | null;
  readonly run_ended_at: Date | null;
  readonly last_results: readonly Job['status'][] | null;
  readonly progress: number | null;
  readonly stage: string | null;
  readonly processed: number | null;
  readonly errors: number | null;
  readonly restore_points: number;
  readonly status: Job['status'];
  readonly approval: Job['approval'];
}

function lastRunOf(row: JobRow): Job['lastRun'] {
  if (row.run_id === null || row.run_status === null) return null;
  return {
    runId: row.run_id,
    status: row.run_status,
    startedAt: row.run_started_at?.toISOString() ?? null,
    endedAt: row.run_ended_at?.toISOString() ?? null,
  };
}

/** Figures of a run that is going on; nothing without one. */
function figuresOf(row: JobRow): Pick<Job, 'progress' | 'stage' | 'processed' | 'errors'> {
  const isActive = row.run_id !== null && row.run_ended_at === null;
  if (!isActive) return { progress: 0, stage: '', processed: 0, errors: 0 };
  return { progress: row.progress ?? 0, stage: row.stage ?? '', processed: row.processed ?? 0, errors: row.errors ?? 0 };
}

/** What a job of this kind says of itself besides what every job has: its sources are counted, its location is named. */
function ownOf(body: JobBody, locationName: string | null) {
  const { name: _name, schedule: _schedule, ...own } = body;
  const source = 'source' in body ? body.source : null;
  const sourceCount = !source || source.everyone ? null : countSources(source);
  return { ...own, ...(source ? { sourceCount } : {}), ...('locationId' in body ? { locationName } : {}) };
}

/** A job as the contract has it. */
export function jobOf(row: JobRow): Job {
  const body = completeBody(row.body);
  // Each kind's answer is made of its body: the compiler can't follow that through the kinds, the checked answers of the tests can.
  return {
    ...ownOf(body, row.location_name),
    jobId: row.job_id,
    name: row.name,
    schedule: completeSchedule(body.schedule),
    creator: row.creator,
    createdAt: row.created_at.toISOString(),
    lastRun: lastRunOf(row),
    lastResults: [...(row.last_results ?? [])],
    nextRun: row.next_run_at?.toISOString() ?? null,
    status: row.status,
    ...figuresOf(row),
    restorePoints: row.restore_points,
    approval: row.approval,
    version: row.version,
  } as Job;
}
