import type { Paper } from '@holdfast/contract/paper';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { once } from '@holdfast/foundation/streams';
import { printPaper } from '@holdfast/paper';
import type { Download } from '../../http/context.ts';
import type { Language } from '../../http/language.ts';
import type { RunsViews } from '../../runs/index.ts';
import type { PrintedLog } from '../audit/index.ts';
import type { CaseAsking, CasesFeature } from '../cases/index.ts';
import type { ContentCaller, ContentService, ReadMessage } from '../content/index.ts';
import type { Asking } from '../identity/index.ts';
import { fileNameOf, ownerOfReports, type ReportOwner } from '../period-reports/index.ts';
import { createProtectionViews, createReportsViews } from '../reporting/index.ts';
import { createDataReports } from '../compliance/index.ts';
import { deletionDetails, deletionOfRun } from '../deletions/index.ts';
import { dayOf, requestDetails } from '../data-requests/index.ts';
import { accessLetter, type AccessLetter } from './access-letter.ts';
import { approvalOf } from './approved-runs.views.ts';
import { auditPaper } from './audit-paper.ts';
import { casePaper } from './case-paper.ts';
import { dataPaper } from './data-paper.ts';
import { erasureLetter, type ErasureLetter } from './erasure-letter.ts';
import { mailPaper } from './mail-paper.ts';
import { protectionPaper } from './protection-paper.ts';
import { runPaper, type RunReport } from './run-paper.ts';

export interface PrintedReportsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly runViews: RunsViews;
  readonly publicUrl: () => string;
  readonly auditLog: PrintedLog;
  readonly cases: CasesFeature['cases'];
  /** Reads mails by their tickets. */
  readonly reading: Pick<ContentService, 'message'>;
}

/** The events that somebody prints. */
export interface AuditPeriod {
  readonly tenantId: string;
  readonly from: string;
  readonly to: string;
  readonly event?: string | undefined;
}

interface ReportPlace {
  readonly tenantId: string;
  readonly reportId: string;
}

export interface PrintedReportsService {
  protection(scope: Scope, tenantId: string, language: Language): Promise<Download>;
  run(scope: Scope, place: ReportPlace, language: Language): Promise<Download>;
  dataManagement(scope: Scope, place: ReportPlace, language: Language): Promise<Download>;
  auditLog(asking: Asking, period: AuditPeriod, language: Language): Promise<Download>;
  caseLog(asking: CaseAsking, caseId: string): Promise<Download>;
  /** The letter to somebody whose data was erased; there is none before that. */
  erasureLetter(scope: Scope, erasure: { readonly tenantId: string; readonly deletionId: string }, language: Language): Promise<Download>;
  /** The letter to somebody who asked for access, once their data was collected. */
  accessLetter(scope: Scope, request: { readonly tenantId: string; readonly requestId: string }, language: Language): Promise<Download>;
  /** A view of one mail, for whoever may export it. */
  mail(caller: ContentCaller, ticketed: { readonly tenantId: string; readonly ticket: string }, language: Language): Promise<Download>;
}

/** More rows than this are no report any more: about 400 pages. */
const MAX_ROWS = 20_000;
const PAGE = 500;

/** The millisecond in which a run ended. */
const momentOf = (endedAt: string) => ({ from: endedAt, to: new Date(Date.parse(endedAt) + 1).toISOString() });

/** Every row of a list. */
async function all<Row>(
  read: (query: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    if (page.total > MAX_ROWS) throw new AppError('reporting.too-long');
    rows.push(...page.items);
    cursor = page.nextCursor;
  }
  return rows;
}

/** `20261102`: reports that are stored nowhere are numbered by their day. */
const dayNumber = (at: Date): number => Number(at.toISOString().slice(0, 10).replaceAll('-', ''));

/** A mail as somebody may hand it out, in the words of a language. */
async function mailOf(
  { reading }: Pick<PrintedReportsParts, 'reading'>,
  caller: ContentCaller,
  ticketed: { readonly tenantId: string; readonly ticket: string },
  language: Language,
): Promise<ReadMessage> {
  const message = await reading.message({ ...caller, request: { ...caller.request, language } }, ticketed, 'print');
  if (message.item.kind !== 'message') throw new AppError('content.item-unknown');
  return message;
}

/** Who agreed to what a run did, and the deletion of messages that it carried out. */
async function decidedAbout(tx: Tx, tenantId: string, runId: string) {
  return { approval: await approvalOf(tx, runId), erasure: await deletionOfRun(tx, tenantId, runId) };
}

/** An erasure of everything of a person that has run. */
async function erasedPerson(tx: Tx, wanted: { readonly tenantId: string; readonly deletionId: string }): Promise<ErasureLetter['erasure']> {
  const erasure = await deletionDetails(tx, wanted);
  if (!erasure?.person || erasure.endedAt === null || erasure.state !== 'finished') throw new AppError('not-found');
  return { ...erasure, person: erasure.person, endedAt: erasure.endedAt };
}

/** A request for access of which something was collected. */
async function requestedAccess(
  tx: Tx,
  wanted: { readonly tenantId: string; readonly requestId: string },
  today: string,
): Promise<AccessLetter['request']> {
  const request = await requestDetails(tx, wanted, today);
  if (!request?.collected) throw new AppError('not-found');
  return { ...request, collected: request.collected };
}

/** What the report of a run that has ended is printed from. */
async function runReport(
  { database, clock, runViews }: Pick<PrintedReportsParts, 'database' | 'clock' | 'runViews'>,
  scope: Scope,
  { tenantId, reportId, owner }: ReportPlace & Pick<RunReport, 'owner'>,
): Promise<RunReport> {
  const run = await runViews.get(scope, tenantId, reportId);
  if (run?.endedAt == null) throw new AppError('not-found');
  const at = now(clock);
  const evidence = await createReportsViews(database).evidence(scope, tenantId, at, momentOf(run.endedAt));
  return {
    owner,
    at,
    run,
    accounts: await all((query) => runViews.accounts(scope, reportId, query)),
    problems: await all((query) => runViews.problems(scope, reportId, query)),
    ...(await database.within(scope, (tx) => decidedAbout(tx, tenantId, reportId))),
    evidence: evidence.find(({ runId }) => runId === reportId),
  };
}

export function createPrintedReportsService(parts: PrintedReportsParts): PrintedReportsService {
  const { database, clock, publicUrl, auditLog, cases } = parts;
  const protection = createProtectionViews(database);
  const dataReports = createDataReports(database);

  async function ownerOf(scope: Scope, tenantId: string): Promise<ReportOwner> {
    const owner = await database.within(scope, (tx) => ownerOfReports(tx, tenantId));
    if (!owner) throw new AppError('not-found');
    return owner;
  }

  async function print(paper: Paper, owner: ReportOwner, number: number): Promise<Download> {
    const bytes = await printPaper(paper, { madeAt: now(clock), organisation: owner.organisation, publicUrl: publicUrl() });
    const fileName = fileNameOf(paper, number, owner.tenant);
    return { fileName, mediaType: 'application/pdf', sizeBytes: bytes.byteLength, content: once(bytes) };
  }

  return Object.freeze<PrintedReportsService>({
    async protection(scope, tenantId, language) {
      const owner = await ownerOf(scope, tenantId);
      const rows = await all((query) => protection.everyone(scope, tenantId, query));
      const at = now(clock);
      const paper = protectionPaper({ owner, at, counts: await protection.counts(scope, tenantId), rows }, language);
      return print(paper, owner, dayNumber(at));
    },
    async auditLog({ actor, scope, caller }, { tenantId, ...filter }, language) {
      const owner = await ownerOf(scope, tenantId);
      const { total, checkpoint, events } = await auditLog.covered(actor, scope, filter);
      if (total > MAX_ROWS) throw new AppError('reporting.too-long');
      await auditLog.noteExport(scope.realm)({
        actor,
        organisation: { organisationId: scope.organisationId },
        address: caller.address,
        requestId: caller.requestId,
      });
      const at = now(clock);
      const { from, to } = filter;
      return print(
        auditPaper({ owner, at, from, to, checkpoint, events: await Array.fromAsync(events()) }, language),
        owner,
        dayNumber(at),
      );
    },
    async caseLog(asking, caseId) {
      const owner = await ownerOf(asking.scope, asking.tenantId);
      const of = await cases.get(asking, caseId);
      const events = await all((query) => cases.log(asking, caseId, query));
      const at = now(clock);
      return print(casePaper({ owner, at, of, events }, asking.language), owner, dayNumber(at));
    },
    async erasureLetter(scope, wanted, language) {
      const [owner, at] = [await ownerOf(scope, wanted.tenantId), now(clock)];
      const erasure = await database.within(scope, (tx) => erasedPerson(tx, wanted));
      return print(erasureLetter({ owner, at, erasure }, language), owner, dayNumber(at));
    },
    async accessLetter(scope, wanted, language) {
      const [owner, at] = [await ownerOf(scope, wanted.tenantId), now(clock)];
      const request = await database.within(scope, (tx) => requestedAccess(tx, wanted, dayOf(at, owner.timeZone)));
      return print(accessLetter({ owner, at, request }, language), owner, dayNumber(at));
    },
    async mail(caller, ticketed, language) {
      const owner = await ownerOf(caller.scope, ticketed.tenantId);
      return print(mailPaper({ owner, message: await mailOf(parts, caller, ticketed, language) }, language), owner, dayNumber(now(clock)));
    },
    async dataManagement(scope, place, language) {
      const owner = await ownerOf(scope, place.tenantId);
      const found = await dataReports.get(scope, place);
      if (!found) throw new AppError('not-found');
      const sites = await all((query) => dataReports.sites(scope, place, query));
      return print(dataPaper({ owner, at: now(clock), ...found, sites }, language), owner, found.report.reportNumber);
    },
    async run(scope, place, language) {
      const owner = await ownerOf(scope, place.tenantId);
      const report = await runReport(parts, scope, { ...place, owner });
      return print(runPaper(report, language), owner, report.run.reportNumber);
    },
  });
}
