import type { JobType } from '@holdfast/contract/jobs';
import { reportsAddress, type coverageStates } from '@holdfast/contract/reporting';
import type { Run } from '@holdfast/contract/monitoring';
import type { Workload } from '@holdfast/contract/values';
import type { Hold } from '@holdfast/contract/holds';
import type { PeriodReport } from '@holdfast/contract/period-reports';

/** Where the numbers of a report lead: each to the list of what it counts, as an address within the portal. */
export interface ReportLists {
  /** The runs of the period. */
  runs(only?: { readonly status?: Run['status']; readonly type?: JobType }): string;
  run(runId: string): string;
  coverage(only?: { readonly state?: (typeof coverageStates)[number]; readonly workload?: Workload }): string;
  readonly evidence: string;
  /** What can be restored: everything that is protected. */
  readonly protected: string;
  mailbox(place: { readonly locationId?: string | undefined; readonly sourceId?: string | undefined }): string;
  /** The accounts of this report. */
  readonly accounts: string;
  readonly locations: string;
  readonly search: string;
  holds(status?: Hold['status']): string;
  /** Who opened or downloaded content in the period. */
  accesses(event: 'content.opened' | 'content.downloaded'): string;
}

function withQuery(address: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  if (query === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** The day that a moment is in, by the clock of the organisation. */
const dayOf = (ms: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();

export function listsOf({ reportId, from, to }: Pick<PeriodReport, 'reportId' | 'from' | 'to'>, timeZone: string): ReportLists {
  const period = { from, to };
  // The audit log is asked for days.
  const days = { from: dayOf(Date.parse(from), timeZone), to: dayOf(Date.parse(to) - 1, timeZone) };
  return Object.freeze<ReportLists>({
    runs: (only = {}) => withQuery(reportsAddress('runs'), { ...only, ...period }),
    run: (runId) => `/backup-and-restore/job-monitor/${runId}`,
    coverage: (only = {}) => withQuery(reportsAddress('coverage'), only),
    evidence: reportsAddress('evidence'),
    protected: '/backup-and-restore/restore',
    mailbox: ({ locationId, sourceId }) =>
      sourceId === undefined ? '/archive/mailboxes' : withQuery('/backup-and-restore/restore', { location: locationId, source: sourceId }),
    accounts: `/backup-and-restore/reports/${reportId}?tab=monthly`,
    locations: '/configuration/tenants',
    search: '/search',
    holds: (status) => withQuery('/configuration/holds', { status }),
    accesses: (event) => withQuery('/configuration/audit-log', { event, ...days }),
  });
}
