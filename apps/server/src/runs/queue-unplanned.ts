import type { Scope, Tx } from '@holdfast/database';
import { unplannedRun } from './run.ts';
import type { RunsStore } from './runs.store.ts';

/** Queues a run that no job has planned; answers its id. */
export async function queueUnplanned(
  runs: Pick<RunsStore, 'enqueue'>,
  tx: Tx,
  scope: Scope,
  ...of: Parameters<typeof unplannedRun>
): Promise<string> {
  const queued = await runs.enqueue(tx, scope, unplannedRun(...of));
  if (!queued) throw new Error('A run without a job was not queued.');
  return queued.runId;
}
