import type { ReactElement } from 'react';
import { Monitor } from './monitor-of-area.tsx';

/** `/backup-and-restore/job-monitor` */
export default function MonitorPage(): ReactElement {
  return <Monitor base="/backup-and-restore/job-monitor" area={{ tableId: 'runs' }} />;
}

/** `/teams/job-monitor` */
export function TeamsMonitorPage(): ReactElement {
  return <Monitor base="/teams/job-monitor" area={{ tableId: 'runs', workload: 'teams' }} />;
}
