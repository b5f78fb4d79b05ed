import type { ReactElement } from 'react';
import { Monitor } from '../monitoring/index.ts';

const area = { tableId: 'archive-runs', types: ['archive', 'import', 'deletion', 'erasure'], empty: 'archive.noRun' } as const;

/** `/archive/job-monitor`: runs of archive jobs, imports and deletions. */
export default function ArchiveMonitorPage(): ReactElement {
  return <Monitor base="/archive/job-monitor" area={area} />;
}
