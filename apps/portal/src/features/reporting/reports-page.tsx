import type { ReactElement } from 'react';
import { Reports } from './reports-of-area.tsx';

/** `/backup-and-restore/reports` */
export default function ReportsPage(): ReactElement {
  return <Reports base="/backup-and-restore/reports" monitor="/backup-and-restore/job-monitor" area={{ tableId: 'run-reports' }} />;
}

/** `/teams/reporting` */
export function TeamsReportsPage(): ReactElement {
  return <Reports base="/teams/reporting" monitor="/teams/job-monitor" area={{ tableId: 'run-reports', workload: 'teams' }} />;
}
