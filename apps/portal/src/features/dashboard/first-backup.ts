import type { WorkloadFigures } from '@holdfast/contract/dashboard';

const underWay: ReadonlySet<string> = new Set(['pending', 'running', 'cancelling']);

/** Whether the first backup of a workload is under way: what has no restore point yet is being read, and no gap. */
export function isFirstBackup({ lastRun, successful, defective, failed }: WorkloadFigures): boolean {
  return lastRun !== null && underWay.has(lastRun.status) && successful + defective + failed === 0;
}
