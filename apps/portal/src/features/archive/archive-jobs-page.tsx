import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { JobsPage, type JobArea } from '../jobs/index.ts';

const area: JobArea = {
  base: '/archive/jobs',
  monitor: '/archive/job-monitor',
  tableId: 'archive-jobs',
  types: ['archive'],
  alsoListed: [],
  workload: 'exchange',
  empty: 'archive.noJob',
};

/** `/archive/jobs` */
export default function ArchiveJobsPage(): ReactElement {
  const text = useText();
  return <JobsPage area={area} title={text('shell.archiveJobs')} lead={text('archive.jobsLead')} />;
}
