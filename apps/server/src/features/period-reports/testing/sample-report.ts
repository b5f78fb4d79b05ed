import type { PeriodReport, ReportFigures } from '@holdfast/contract/period-reports';

/** A report of a month with something in each of its sections, the same at every look. */
export const at = new Date('2026-11-01T00:10:00Z');
export const moment = '2026-10-17T22:04:00.000Z';
export const runId = '01900000-0000-7000-8000-000000000001';
export const owner = {
  organisation: 'Müller & Söhne',
  tenant: 'Contoso Ltd',
  timeZone: 'Europe/Berlin',
  language: 'de',
  isMailed: true,
} as const;
export const person = { name: 'Änne Müller', address: 'aenne.mueller@contoso.example' };
const reported = {
  runId,
  jobName: 'Mail every night',
  type: 'backup',
  at: moment,
  status: 'failed',
  code: 'graph.mailbox-missing',
  items: 7,
} as const;

export const sampleFigures: ReportFigures = {
  ...owner,
  protection: [{ workload: 'exchange', protected: 1_118, partly: 3, unprotected: 2, excluded: 4 }],
  notProtected: { total: 25, items: [{ ...person, workload: 'exchange', reason: 'coverage.no-restore-point' }] },
  runs: [{ type: 'backup', runs: 62, successful: 60, defective: 1, failed: 1, skipped: 0, cancelled: 0 }],
  items: 48_211,
  bytes: 9_663_676_416,
  accounts: 1_121,
  troubled: { total: 1, items: [reported] },
  days: Array.from({ length: 31 }, (_, day) => ({
    date: `2026-10-${String(day + 1).padStart(2, '0')}`,
    items: day,
    bytes: day * 1_048_576,
    storedBytes: day * 4_096,
  })),
  storage: [{ location: 'Vault', sourceBytes: 8_589_934_592, addedBytes: 5_242_880 }],
  top: { size: [{ ...person, bytes: 3_221_225_472, messages: 12_204, attachments: 1_447 }], messages: [], attachments: [] },
  restores: { total: 1, items: [{ ...reported, type: 'restore', status: 'successful', code: null, who: 'ann@contoso.example' }] },
  evidence: { total: 1, items: [{ runId, kind: 'drill', at: moment, locationName: 'Vault', checked: 500, deviations: 12 }] },
  index: { items: 48_211, searched: 48_199, unreadable: 12 },
  holds: {
    active: 1,
    placed: 1,
    released: 0,
    items: [{ name: 'Fraud', reason: 'Complaint', resource: null, placer: 'ann@contoso.example', placedAt: moment, releasedAt: null }],
  },
  deletions: {
    total: 1,
    items: [{ ...reported, type: 'deletion', requester: 'ann@contoso.example', approver: 'ben@contoso.example', mode: 'secondPerson' }],
  },
  accesses: [{ ground: 'proxy', openings: 31, people: 2 }],
  attention: [{ code: 'deviation', count: 12 }],
};
export const sampleReport: PeriodReport = {
  reportId: runId,
  reportNumber: 202_610,
  kind: 'monthly',
  from: '2026-09-30T22:00:00.000Z',
  to: '2026-10-31T23:00:00.000Z',
  madeAt: at.toISOString(),
  maker: null,
  language: 'de',
  isStored: false,
};
