import type { JobType } from '@holdfast/contract/jobs';
import type { ContentAccessEntry, ContentAccessKind } from '@holdfast/contract/access-log';
import { reportsAddress, type Evidence, type listedStates } from '@holdfast/contract/reporting';
import type { Run } from '@holdfast/contract/monitoring';
import type { Workload } from '@holdfast/contract/values';
import type { CountedHolds } from '@holdfast/contract/holds';
import type { PeriodReport } from '@holdfast/contract/period-reports';

/** Where the numbers of a report lead: each to the list of what it counts, as an address within the portal. */
export interface ReportLists {
  /** The runs of the period. */
  runs(only?: { readonly status?: Run['status']; readonly type?: JobType | undefined }): string;
  run(runId: string): string;
  /** Mailboxes, drives, sites and teams that are not protected, or those of a state. */
  coverage(only?: { readonly state?: (typeof listedStates)[number]; readonly workload?: Workload }): string;
  /** Everybody and everything that can be protected. */
  readonly everybody: string;
  /** The verifications and drills of the period. */
  evidence(state?: Evidence['state']): string;
  mailbox(place: { readonly locationId?: string | undefined; readonly sourceId?: string | undefined }): string;
  /** The accounts of this report. */
  readonly accounts: string;
  readonly locations: string;
  readonly mailboxes: string;
  readonly search: string;
  /** Items that can be searched by name only. */
  readonly unreadable: string;
  /** Holds that were in force at the end of the period, or were placed or released in it. */
  holds(counted?: CountedHolds): string;
  /** Who opened or downloaded content in the period. */
  accesses(only: { readonly kind: ContentAccessKind; readonly ground?: NonNullable<ContentAccessEntry['ground']> }): string;
}

function withQuery(address: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  if (query === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

const MAILBOXES = '/archive/mailboxes';

export function listsOf({ reportId, from, to }: Pick<PeriodReport, 'reportId' | 'from' | 'to'>): ReportLists {
  const period = { from, to };
  return Object.freeze<ReportLists>({
    runs: (only = {}) => withQuery(reportsAddress('runs'), { ...only, ...period }),
    run: (runId) => `/backup-and-restore/job-monitor/${runId}`,
    // The line that says that chats are switched off is in the report's own list, and in no figure.
    coverage: (only = {}) =>
      withQuery(reportsAddress('coverage'), { ...only, ...(only.state === undefined ? { wholeOnly: 'true' } : { countedOnly: 'true' }) }),
    everybody: '/people',
    evidence: (state) => withQuery(reportsAddress('evidence'), { state, ...period }),
    mailbox: ({ locationId, sourceId }) =>
      sourceId === undefined ? MAILBOXES : withQuery('/backup-and-restore/restore', { location: locationId, source: sourceId }),
    accounts: `/backup-and-restore/reports/${reportId}?tab=monthly`,
    locations: '/configuration/locations',
    mailboxes: MAILBOXES,
    search: '/search',
    unreadable: withQuery('/search', { query: 'partial:true' }),
    holds: (counted) => withQuery('/configuration/holds', counted === undefined ? {} : { counted, ...period }),
    accesses: (only) => withQuery('/configuration/access-log', { ...only, ...period }),
  });
}
