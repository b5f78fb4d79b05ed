import { isUnderWay } from '@holdfast/contract/run-status';
import { traitsOf } from '@holdfast/contract/jobs';
import type { Run } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { StopDialog } from '../jobs/index.ts';

/** Whether the reader may stop a run now: it has not ended, and the kind of its job asks for no more than the role has. */
export function useMayStop(run: Run): boolean {
  return useMay(traitsOf(run.type).actions.run) && isUnderWay(run) && run.jobId !== null;
}

export interface StopRunProps {
  readonly tenantId: string;
  readonly run: Pick<Run, 'jobId' | 'jobName'>;
  readonly onClose: () => void;
}

/** Asks before a run is stopped, by the job that it belongs to. */
export function StopRun({ tenantId, run: { jobId, jobName }, onClose }: StopRunProps): ReactElement | null {
  return jobId === null ? null : <StopDialog tenantId={tenantId} job={{ jobId, name: jobName }} onDone={onClose} onClose={onClose} />;
}
