import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { JobList } from './job-list.tsx';
import type { JobArea } from './job-list.tsx';

const JobStepper = lazy(async () => ({ default: (await import('./job-stepper/job-stepper.tsx')).JobStepper }));

const backupArea: JobArea = {
  base: '/backup-and-restore/backup-jobs',
  tableId: 'backup-jobs',
  types: ['backup', 'verify', 'drill', 'deletion'],
  alsoListed: ['restore'],
  empty: 'jobs.emptyBackup',
};
const teamsArea: JobArea = {
  base: '/teams/jobs',
  tableId: 'teams-jobs',
  types: ['backup', 'drill'],
  alsoListed: ['restore'],
  workload: 'teams',
  empty: 'jobs.emptyTeams',
};

/** `/backup-and-restore/backup-jobs` */
export default function BackupJobsPage(): ReactElement {
  const text = useText();
  return <JobsPage area={backupArea} title={text('shell.backupJobs')} lead={text('jobs.backupLead')} />;
}

/** `/teams/jobs` */
export function TeamsJobsPage(): ReactElement {
  const text = useText();
  return <JobsPage area={teamsArea} title={text('shell.jobs')} lead={text('jobs.teamsLead')} />;
}

function JobsPage({ area, title, lead }: { readonly area: JobArea; readonly title: string; readonly lead: string }): ReactElement {
  const detail = useDetail(area.base);
  if (detail.mode === 'new' || detail.mode === 'edit') {
    return (
      <WithTenant>
        {(tenant) => (
          <Suspense fallback={<LoadingShape rows={6} />}>
            <JobStepper key={detail.id ?? 'new'} tenantId={tenant.tenantId} area={area} jobId={detail.id} listTitle={title} />
          </Suspense>
        )}
      </WithTenant>
    );
  }
  return (
    <Page title={title} lead={lead}>
      <WithTenant>{(tenant) => <JobList tenantId={tenant.tenantId} area={area} label={title} detail={detail} />}</WithTenant>
    </Page>
  );
}
