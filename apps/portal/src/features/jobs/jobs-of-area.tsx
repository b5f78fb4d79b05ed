import type { ReactElement } from 'react';
import type { Command } from '../../ui/command-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import type { JobArea } from './job-area.ts';
import { JobList } from './job-list.tsx';
import { isStepping, JobSteps } from './job-steps.tsx';

export interface JobsPageProps {
  readonly area: JobArea;
  readonly title: string;
  readonly lead: string;
  /** What else can be done here. */
  readonly commands?: readonly Command[];
}

/** The page of an area's jobs: their list, or the steps that create or change one. */
export function JobsPage({ area, title, lead, commands = [] }: JobsPageProps): ReactElement {
  const detail = useDetail(area.base);
  if (isStepping(detail)) return <JobSteps area={area} detail={detail} listTitle={title} />;
  return (
    <Page title={title} lead={lead}>
      <WithTenant>
        {(tenant) => <JobList tenantId={tenant.tenantId} area={area} label={title} detail={detail} commands={commands} />}
      </WithTenant>
    </Page>
  );
}
