import type { CaseDetails, CaseEvent } from '@holdfast/contract/case-values';
import type { RunDetails } from '@holdfast/contract/monitoring';
import type { Paper } from '@holdfast/contract/paper';
import { procedureParts } from '@holdfast/contract/procedures';
import type { Language } from '../../../http/language.ts';
import { composeReport } from '../../period-reports/compose-report.ts';
import { at, moment, owner, person, runId, sampleFigures, sampleReport } from '../../period-reports/testing/sample-report.ts';
import { procedurePaper } from '../../procedures/procedure-paper.ts';
import { accessLetter, type AccessLetter } from '../access-letter.ts';
import { auditPaper } from '../audit-paper.ts';
import { casePaper } from '../case-paper.ts';
import { dataPaper } from '../data-paper.ts';
import { erasureLetter, type ErasureLetter } from '../erasure-letter.ts';
import { protectionPaper } from '../protection-paper.ts';
import { runPaper, type RunReport } from '../run-paper.ts';

/** A run as its report prints it. */
export function aRun(changes: Partial<RunDetails>, rest: Partial<RunReport> = {}): RunReport {
  const run = {
    reportId: runId,
    reportNumber: 77,
    jobName: 'Mail every night',
    type: 'restore',
    status: 'defective',
    startedBy: 'ann@contoso.example',
    queuedAt: moment,
    startedAt: moment,
    endedAt: moment,
    processed: 4_310,
    bytes: 1_572_864,
    errors: 12,
    excluded: 5,
    counts: { added: 0, changed: 0, removed: 42, unchanged: 30 },
    code: null,
    restore: null,
    ...changes,
  } as unknown as RunDetails;
  const account = { ...person, status: 'successful', items: 4_310, bytes: 1_572_864, code: null };
  const problem = { accountName: person.name, path: 'Inbox/Angebot', code: 'graph.mailbox-missing' };
  return {
    owner,
    at,
    run,
    accounts: [account],
    problems: [problem],
    approval: undefined,
    evidence: undefined,
    erasure: undefined,
    ...rest,
  } as unknown as RunReport;
}
export const proof = {
  kind: 'drill',
  checked: 500,
  deviations: 0,
  findings: [{ code: 'vault.items-lost', count: 3 }],
} as unknown as RunReport['evidence'];
const approval: RunReport['approval'] = {
  requester: 'ann@contoso.example',
  approver: 'ben@contoso.example',
  mode: 'secondPerson',
  decidedAt: at,
};

/** A deletion of archived messages, with everything that a certificate can say about one. */
export const erased = {
  query: 'from:anna subject:Gehaltsliste',
  basis: 'erasure',
  reason: 'Art. 17, Ticket 4711',
  listed: { messages: 1_240, bytes: 9_437_184 },
  kept: { messages: 17, bytes: 524_288 },
  erased: { messages: 1_221, bytes: 8_912_896 },
  gone: 2,
  keepers: [
    { kind: 'hold', name: 'Rechtsstreit Falke', until: null, messages: 9 },
    { kind: 'minimum', name: 'Geschäftsbriefe', until: '2032-12-31T23:00:00.000Z', messages: 5 },
    { kind: 'minimum', name: 'Vertragsende', until: null, messages: 3 },
  ],
  remains: {
    countedAt: moment,
    sweepAt: moment,
    copies: [
      { place: 'backups', locationName: 'Tresor', messages: 1, lockedDays: 0 },
      { place: 'archives', locationName: 'Tresor', messages: 12, lockedDays: 0 },
      { place: 'journals', locationName: 'Tresor', messages: 3, lockedDays: 0 },
      { place: 'vault', locationName: 'Bucket', messages: 1_221, lockedDays: 30 },
    ],
  },
  sweptAt: null,
} as unknown as NonNullable<RunReport['erasure']>;

/** The erasure of everything of somebody, of whom a part is kept. */
export const erasedPerson = {
  ...erased,
  person: { personId: runId, name: 'Anna Ölmann', address: 'anna@contoso.example' },
  endedAt: moment,
  mailboxes: [
    { kind: 'archive', locationName: 'Tresor', erased: { messages: 1_200, bytes: 8_000_000 }, kept: { messages: 8, bytes: 1 } },
    { kind: 'mailbox', locationName: 'Tresor', erased: { messages: 20, bytes: 900_000 }, kept: { messages: 9, bytes: 1 } },
    { kind: 'drive', locationName: 'Bucket', erased: { messages: 1, bytes: 12_896 }, kept: { messages: 0, bytes: 0 } },
  ],
} as unknown as ErasureLetter['erasure'];

const event = {
  sequence: 7,
  at: moment,
  event: 'cases.opened',
  outcome: 'succeeded',
  actor: 'ann@contoso.example',
  subjectName: 'Fraud',
  subjectId: null,
  reason: 'Complaint',
} as const;
const aCase = {
  matter: 'Fraud',
  reference: '4711',
  status: 'open',
  people: [{}],
  custodians: [],
  queries: [],
  holds: [],
} as unknown as CaseDetails;
const caseEvent: CaseEvent = {
  at: moment,
  event: 'cases.opened',
  actor: 'ann@contoso.example',
  subject: 'Fraud',
  reason: null,
  details: {},
};
const site = { name: 'Verträge', items: 812, bytes: 33_554_432, versionBytes: 4_194_304, duplicates: 12, exposed: 3 };
const counts = {
  sites: 9,
  files: 6_217,
  bytes: 33_554_432,
  versionBytes: 4_194_304,
  duplicates: 12,
  duplicateBytes: 2_048,
  exposed: 3,
  deleted: 8,
};
const scan = {
  report: { reportNumber: 12, reportDate: moment, kind: 'monthly', counts },
  ages: [{ age: 'older', files: 31, bytes: 4_096 }],
  sites: [site],
} as unknown as Pick<Parameters<typeof dataPaper>[0], 'report' | 'ages' | 'sites'>;

/** A request for access with everything that its letter can tell. */
export const requested: AccessLetter['request'] = {
  requestId: runId,
  kind: 'access',
  person: { personId: runId, name: 'Adele Vance', address: 'adele@contoso.example' },
  note: 'E-Mail of 12 November',
  receivedOn: '2026-11-12',
  dueOn: '2027-02-12',
  daysLeft: 60,
  extension: { reason: 'Very many items', by: 'ann@contoso.example', at: moment },
  registeredBy: 'ann@contoso.example',
  registeredAt: moment,
  deletion: null,
  collected: {
    at: moment,
    own: { items: 1_200, bytes: 1_000 },
    mention: { items: 30, bytes: 1_000 },
    leftOut: 2,
    notReached: 3,
    notSearched: 4,
  },
  exported: { exportId: runId, items: 1_228, by: 'ann@contoso.example', at: moment, manifestHash: 'c0ffee'.repeat(10) },
  answer: null,
  places: [
    { resourceId: runId, name: 'Adele Vance', kind: 'mailbox', part: 'own', items: 1_200, leftOut: 0 },
    { resourceId: runId, name: 'Ben Vance', kind: 'mailbox', part: 'mention', items: 20, leftOut: 2 },
    { resourceId: runId, name: 'Sales', kind: 'site', part: 'mention', items: 10, leftOut: 0 },
  ],
  leftOut: [{ reason: 'Trade secrets of a customer', items: 2 }],
};

/** Each kind of paper, as the product composes it. */
export const papers: Readonly<Record<string, (language: Language) => Paper>> = {
  'a monthly report': (language) => composeReport(sampleReport, sampleFigures, language),
  'the protection status': (language) =>
    protectionPaper(
      {
        owner,
        at,
        counts: sampleFigures.protection,
        rows: [{ ...person, workload: 'exchange', state: 'partly', reason: 'coverage.no-restore-point', newestPointAt: moment }],
      },
      language,
    ),
  'the report of a restore': (language) => runPaper(aRun({}), language),
  'the evidence of a drill': (language) => runPaper(aRun({ type: 'drill', status: 'successful' }, { evidence: proof }), language),
  'a deletion certificate': (language) => runPaper(aRun({ type: 'deletion', status: 'successful' }, { approval }), language),
  'the letter to somebody whose data was erased': (language) => erasureLetter({ owner, at, erasure: erasedPerson }, language),
  'the letter to somebody who asked for access': (language) => accessLetter({ owner, at, request: requested }, language),
  'the certificate of an erasure': (language) =>
    runPaper(aRun({ type: 'erasure', status: 'successful' }, { approval, erasure: erased }), language),
  'the audit log': (language) =>
    auditPaper(
      {
        owner,
        at,
        from: sampleReport.from,
        to: sampleReport.to,
        checkpoint: { size: 9, rootHash: 'f00d'.repeat(16) },
        events: [event],
      } as never,
      language,
    ),
  'a case log': (language) => casePaper({ owner, at, of: aCase, events: [caseEvent] }, language),
  'a data management report': (language) => dataPaper({ owner, at, ...scan }, language),
  'the procedure documentation': (language) =>
    procedurePaper(
      { number: 2, madeAt: moment, maker: 'ann@contoso.example', changes: 1, hash: 'c0ffee'.repeat(10) },
      {
        ...owner,
        program: '0.1.0',
        checkpoint: null,
        verifiedAt: moment,
        proofs: { verification: { at: moment, status: 'successful' }, drill: null },
        parts: [...procedureParts],
        entries: [
          { part: 'jobs', key: '1', name: 'Mail', values: { kind: 'backup', schedule: '{"mode":"interval","everyMinutes":60}' } },
          {
            part: 'policies',
            key: '2',
            name: 'Belege',
            values: {
              period:
                '{"about":"messages","length":{"amount":8,"unit":"years"},"start":"calendarYear","anchor":"received","eventKind":null}',
              subject: 'everything',
              since: moment,
              requester: 'ann@contoso.example',
              approver: 'ben@contoso.example',
            },
          },
        ],
        changes: [
          {
            part: 'jobs',
            name: 'Mail',
            kind: 'changed',
            fields: [{ field: 'schedule', before: '{"mode":"disabled"}', after: '{"mode":"interval","everyMinutes":60}' }],
            actor: 'ben@contoso.example',
            at: moment,
          },
        ],
        sections: [{ title: 'Scannen', text: 'Durch die Poststelle.' }],
      },
      language,
    ),
};
