import { isUnderWay } from '@holdfast/contract/run-status';
import type { WorkloadFigures } from '@holdfast/contract/dashboard';

/** Whether the first backup of a workload is under way: what has no restore point yet is being read, and no gap. */
export function isFirstBackup({ lastRun, successful, defective, failed }: WorkloadFigures): boolean {
  return lastRun !== null && isUnderWay(lastRun) && successful + defective + failed === 0;
}
