import type { Run, RunDetails } from '@holdfast/contract/monitoring';
import { factsOf, type RestoreSettings } from '@holdfast/contract/restore';
import { addressOfWorker } from './worker-process.ts';

/** A run as its table has it, with nothing joined. */
export interface RunRow {
  readonly run_id: string;
  readonly number: number;
  readonly job_id: string | null;
  readonly job_name: string;
  readonly body: object;
  readonly type: string;
  readonly workload: Run['workload'];
  readonly status: Run['status'];
  readonly trigger: Run['trigger'];
  readonly started_by: string | null;
  readonly stage: string;
  readonly progress: number;
  readonly processed: number;
  readonly total: number | null;
  readonly bytes: number;
  readonly items_per_second: number;
  readonly bytes_per_second: number;
  readonly errors: number;
  readonly excluded: number;
  readonly accounts: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly new_bytes: number;
  readonly stored_bytes: number;
  readonly queued_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly code: string | null;
  readonly worker: string | null;
  readonly stages: RunDetails['stages'];
  readonly result: object | null;
  readonly waiting: Run['waiting'];
  readonly waited: RunDetails['waited'];
}

/** A time as the API writes it. */
export function isoOf(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

function remainingSeconds(row: RunRow): number | null {
  if (row.total === null || row.items_per_second <= 0 || row.ended_at !== null) return null;
  return Math.max(0, Math.round((row.total - row.processed) / row.items_per_second));
}

function restoreOf({ body }: RunRow): Run['restore'] {
  const { restore } = body as { readonly restore?: RestoreSettings };
  return restore === undefined ? null : factsOf(restore);
}

/** A run as lists show it. */
export function runOf(row: RunRow): Run {
  return {
    reportId: row.run_id,
    reportNumber: row.number,
    jobId: row.job_id,
    jobName: row.job_name,
    type: row.type as Run['type'],
    workload: row.workload,
    status: row.status,
    trigger: row.trigger,
    startedBy: row.started_by,
    stage: row.stage,
    waiting: row.waiting,
    progress: row.progress,
    processed: row.processed,
    total: row.total,
    bytes: row.bytes,
    itemsPerSecond: row.items_per_second,
    bytesPerSecond: row.bytes_per_second,
    remainingSeconds: remainingSeconds(row),
    errors: row.errors,
    excluded: row.excluded,
    accounts: row.accounts,
    queuedAt: row.queued_at.toISOString(),
    startedAt: isoOf(row.started_at),
    endedAt: isoOf(row.ended_at),
    code: row.code,
    restore: restoreOf(row),
  };
}

/** A run with all that its page shows. */
export function runDetailsOf(row: RunRow): RunDetails {
  return {
    ...runOf(row),
    stages: row.stages,
    waited: row.waited,
    counts: { added: row.added, changed: row.changed, removed: row.removed, unchanged: row.unchanged, gone: row.gone },
    newBytes: row.new_bytes,
    storedBytes: row.stored_bytes,
    worker: row.worker === null ? null : addressOfWorker(row.worker),
    download: row.result !== null && 'fileName' in row.result,
  };
}
