import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import type { Detail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import type { JobArea } from './job-area.ts';

const JobStepper = lazy(async () => ({ default: (await import('./job-stepper/job-stepper.tsx')).JobStepper }));

export interface JobStepsProps {
  readonly area: JobArea;
  readonly detail: Detail;
  readonly listTitle: string;
}

/** Whether a page of jobs shows the steps instead of its list. */
export function isStepping({ mode }: Detail): boolean {
  return mode === 'new' || mode === 'edit';
}

/** Creation or change of a job of an area, loaded when it is first needed. */
export function JobSteps({ area, detail, listTitle }: JobStepsProps): ReactElement {
  return (
    <WithTenant>
      {(tenant) => (
        <Suspense fallback={<LoadingShape rows={6} />}>
          <JobStepper key={detail.id ?? 'new'} tenantId={tenant.tenantId} area={area} jobId={detail.id} listTitle={listTitle} />
        </Suspense>
      )}
    </WithTenant>
  );
}
