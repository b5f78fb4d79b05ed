import type { ReactElement } from 'react';
import { Reports } from '../reporting/index.ts';

const area = { tableId: 'archive-reports', types: ['archive', 'import', 'deletion'], empty: 'reports.empty' } as const;

/** `/archive/reports`: reports of archive jobs and of deletion jobs, with their accounts. */
export default function ArchiveReportsPage(): ReactElement {
  return <Reports base="/archive/reports" monitor="/archive/job-monitor" area={area} />;
}
