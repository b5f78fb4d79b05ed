import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import type { JobArea } from './job-area.ts';
import { JobsPage } from './jobs-of-area.tsx';

const backupArea: JobArea = {
  base: '/backup-and-restore/backup-jobs',
  monitor: '/backup-and-restore/job-monitor',
  tableId: 'backup-jobs',
  types: ['backup', 'verify', 'drill'],
  alsoListed: ['restore', 'recovery'],
  empty: 'jobs.emptyBackup',
};
const teamsArea: JobArea = {
  base: '/teams/jobs',
  monitor: '/teams/job-monitor',
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
  return <JobsPage area={teamsArea} title={text('shell.teamsJobs')} lead={text('jobs.teamsLead')} />;
}
