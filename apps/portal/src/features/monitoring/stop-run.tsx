import type { Run } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { StopDialog } from '../jobs/index.ts';

export interface StopRunProps {
  readonly tenantId: string;
  readonly run: Pick<Run, 'jobId' | 'jobName'>;
  readonly onClose: () => void;
}

/** Asks before a run is stopped, by the job that it belongs to. */
export function StopRun({ tenantId, run: { jobId, jobName }, onClose }: StopRunProps): ReactElement | null {
  return jobId === null ? null : <StopDialog tenantId={tenantId} job={{ jobId, name: jobName }} onDone={onClose} onClose={onClose} />;
}
