import { jobSource, type BodyOf } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';

const NAMES: Readonly<Record<Workload, string>> = {
  exchange: 'Exchange daily',
  onedrive: 'OneDrive daily',
  sharepoint: 'SharePoint daily',
  teams: 'Teams daily',
};
/** One after the other through the night, so that workloads do not compete. */
const TIMES: Readonly<Record<Workload, string>> = { exchange: '21:00', onedrive: '22:00', sharepoint: '23:00', teams: '23:30' };

/** A first job of a workload: everyone, every night. */
export function defaultJob(workload: Workload, { locationId, timeZone }: { locationId: string; timeZone: string }): BodyOf<'backup'> {
  // Versions, like everything else that can be configured, come from the settings of the tenant at each run.
  const source = jobSource.parse({ everyone: true, options: { fileVersions: 0 } });
  return {
    type: 'backup',
    name: NAMES[workload],
    workload,
    source,
    locationId,
    schedule: { mode: 'daily', time: TIMES[workload], timeZone },
  };
}
