import { reportFigures, type PeriodBody, type PeriodReport, type periodReports } from '@holdfast/contract/period-reports';
import type { Page } from '@holdfast/contract/paging';
import type { Drawing, Paper } from '@holdfast/contract/paper';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, errorText } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { once } from '@holdfast/foundation/streams';
import type { PdfOptions } from '@holdfast/paper';
import type { Answer, Download } from '../../http/context.ts';
import type { Language } from '../../http/language.ts';
import type { AuditActor, AuditInbox } from '../audit/index.ts';
import type { StoredDocuments } from '../documents/index.ts';
import type { Asking } from '../identity/index.ts';
import type { ReportMailWords, ReportNews } from '../notifications/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { reportIdOf } from '../reporting/index.ts';
import { composeReport, fileNameOf } from './compose-report.ts';
import { monthNumber, settledMonth, type Period } from './period.ts';
import { ownerOfReports, type CountPeriod, type ReportOwner } from './period-figures.views.ts';
import {
  isMonthDue,
  keepPeriodReport,
  listPeriodReports,
  nextNumber,
  noteMailed,
  noteStored,
  periodReportOf,
  readPeriodReport,
  unfinishedReports,
  type NewPeriodReport,
  type PeriodReportRow,
  type PeriodReportsQuery,
} from './period-reports.store.ts';

export interface PeriodReportsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  readonly documents: StoredDocuments;
  /** Makes the file of a paper: the same paper and options make the same file. */
  readonly printPaper: (paper: Paper, options: PdfOptions) => Promise<Uint8Array>;
  readonly printPicture: (drawing: Drawing) => Promise<Uint8Array>;
  readonly count: CountPeriod;
  publicUrl(): string;
  /** Mails the report of a month in the transaction that notes it. */
  readonly notify: (tx: Tx, scope: Scope, news: ReportNews) => Promise<void>;
}

export interface ReportPlace {
  readonly tenantId: string;
  readonly reportId: string;
}

export interface PeriodReportsService {
  list(scope: Scope, tenantId: string, query: PeriodReportsQuery): Promise<Page<PeriodReport>>;
  make(asking: Asking, tenantId: string, body: PeriodBody): Promise<PeriodReport>;
  get(scope: Scope, place: ReportPlace, language: Language | undefined): Promise<Answer<typeof periodReports.get>>;
  file(scope: Scope, place: ReportPlace, language: Language | undefined): Promise<Download>;
  /**
   * Makes the report of the last closed month unless it is there, and mails and stores what is not mailed or stored yet.
   * Each step is durable before the next begins. Answers the numbers of the reports that it has finished.
   */
  makeMonth(scope: Scope, tenantId: string, signal?: AbortSignal): Promise<readonly number[]>;
}

async function ownerOf({ database }: PeriodReportsParts, scope: Scope, tenantId: string): Promise<ReportOwner> {
  const owner = await database.within(scope, (tx) => ownerOfReports(tx, tenantId));
  if (!owner) throw new AppError('not-found');
  return owner;
}

async function found({ database }: PeriodReportsParts, scope: Scope, { tenantId, reportId }: ReportPlace): Promise<PeriodReportRow> {
  const row = await database.within(scope, (tx) => readPeriodReport(tx, tenantId, reportId));
  if (!row) throw new AppError('not-found');
  return row;
}

/** What the first section of a report asks for. */
function thingsToDo({ sections }: Paper): ReportMailWords['lines'] {
  return (sections[0]?.blocks ?? [])
    .flatMap((block) => (block.kind === 'list' ? block.items : []))
    .map(({ text, link }) => ({ text, ...(link === undefined ? {} : { link }) }));
}

/** What the mail says in a language, with the first chart of the report as a picture. */
async function mailWords({ printPicture }: PeriodReportsParts, row: PeriodReportRow, language: Language): Promise<ReportMailWords> {
  const { paper } = paperOf(row, language);
  const chart = paper.sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'chart');
  const picture = chart && { title: chart.title, fileName: `${chart.title}.png`, bytes: await printPicture(chart.drawing) };
  const { subtitle: month, verdict } = paper;
  return { month, verdict: `${verdict.state}: ${verdict.text}`, lines: thingsToDo(paper), chart: picture };
}

function paperOf(row: PeriodReportRow, language: Language) {
  const figures = reportFigures.parse(row.figures);
  return { figures, paper: composeReport(periodReportOf(row), figures, language) };
}

async function print(parts: PeriodReportsParts, row: PeriodReportRow, language: Language) {
  const { figures, paper } = paperOf(row, language);
  const options = { madeAt: row.made_at, organisation: figures.organisation, publicUrl: parts.publicUrl() };
  return { figures, paper, fileName: fileNameOf(paper, row.number, figures.tenant), bytes: await parts.printPaper(paper, options) };
}

/** Counts a period and keeps the answer; undefined when a report of this month is there already. */
async function keep(
  parts: PeriodReportsParts,
  scope: Scope,
  period: Period,
  given: { readonly language?: Language | undefined; readonly maker: string | null; readonly entry: AuditActor },
): Promise<PeriodReportRow | undefined> {
  const { database, clock, ids, audit } = parts;
  const owner = await ownerOf(parts, scope, period.tenantId);
  const madeAt = now(clock);
  const figures = await parts.count(scope, period, owner, madeAt);
  const isMonthly = given.maker === null;
  const month = monthNumber(isMonthly ? period.from : madeAt, owner.timeZone);
  const reportId = isMonthly ? reportIdOf(period.tenantId, new Date(Date.UTC(Math.floor(month / 100), (month % 100) - 1, 1))) : ids.uuid();
  return database.within(scope, async (tx) => {
    const report: NewPeriodReport = {
      report_id: reportId,
      tenant_id: period.tenantId,
      number: isMonthly ? month : await nextNumber(tx, period.tenantId, month),
      kind: isMonthly ? 'monthly' : 'onDemand',
      from_at: period.from,
      to_at: period.to,
      made_at: madeAt,
      maker: given.maker,
      language: given.language ?? owner.language,
      figures,
    };
    if (!(await keepPeriodReport(tx, report, period))) return undefined;
    await audit.record(tx, {
      event: 'reports.made',
      actor: given.entry,
      subject: { kind: 'report', id: reportId, name: String(report.number) },
      details: { from: period.from.toISOString(), to: period.to.toISOString() },
    });
    return readPeriodReport(tx, period.tenantId, reportId);
  });
}

async function storeFile(
  { database, documents }: PeriodReportsParts,
  scope: Scope,
  row: PeriodReportRow,
  file: { readonly fileName: string; readonly bytes: Uint8Array },
): Promise<void> {
  const documentId = await documents.keep(scope, file);
  await database.within(scope, (tx) => noteStored(tx, row.report_id, documentId));
}

async function mail(
  parts: PeriodReportsParts,
  scope: Scope,
  row: PeriodReportRow,
  news: Pick<ReportNews, 'tenant' | 'file'>,
): Promise<void> {
  const { database, clock, notify } = parts;
  const words = { en: await mailWords(parts, row, 'en'), de: await mailWords(parts, row, 'de') };
  await database.within(scope, async (tx) => {
    const owner = await ownerOfReports(tx, row.tenant_id);
    if (!(await noteMailed(tx, row.report_id, now(clock))) || owner?.isMailed !== true) return;
    await notify(tx, scope, { ...news, reportId: row.report_id, in: (language) => words[language] });
  });
}

/** Mails the report of a month and stores the file of any, whichever is not done. */
async function finish(parts: PeriodReportsParts, scope: Scope, row: PeriodReportRow): Promise<void> {
  const { bytes, fileName, figures } = await print(parts, row, row.language);
  const file = { fileName, bytes };
  if (row.kind === 'monthly' && row.mailed_at === null) await mail(parts, scope, row, { tenant: figures.tenant, file });
  if (row.document_id === null) await storeFile(parts, scope, row, file);
}

async function makeMonth(parts: PeriodReportsParts, scope: Scope, tenantId: string, signal?: AbortSignal): Promise<readonly number[]> {
  const { database, clock } = parts;
  const { timeZone } = await ownerOf(parts, scope, tenantId);
  const month = { tenantId, ...settledMonth(clock.nowMs(), timeZone) };
  if (await database.within(scope, (tx) => isMonthDue(tx, month)))
    await keep(parts, scope, month, { maker: null, entry: { kind: 'system', name: 'Holdfast' } });
  const unfinished = await database.within(scope, (tx) => unfinishedReports(tx, tenantId, now(clock)));
  for (const row of unfinished) {
    signal?.throwIfAborted();
    await finish(parts, scope, row);
  }
  return unfinished.map((row) => row.number);
}

export function createPeriodReportsService(parts: PeriodReportsParts): PeriodReportsService {
  const { database, documents, logger } = parts;
  return Object.freeze<PeriodReportsService>({
    list: (scope, tenantId, query) => database.within(scope, (tx) => listPeriodReports(tx, tenantId, query)),
    async make({ scope, actor, caller }, tenantId, { from, to, language }) {
      const period = { tenantId, from: new Date(from), to: new Date(to) };
      const row = await keep(parts, scope, period, { language, maker: actor.email, entry: actorEntry(actor, caller) });
      if (!row) throw new AppError('service.unavailable');
      // Without a location or room the report is there all the same; its file is stored as soon as it can be.
      await finish(parts, scope, row).catch((error: unknown) =>
        logger.warn({ reason: errorText(error) }, 'the file of a report could not be stored'),
      );
      return periodReportOf(await found(parts, scope, { tenantId, reportId: row.report_id }));
    },
    async get(scope, place, language) {
      const row = await found(parts, scope, place);
      return { report: periodReportOf(row), ...paperOf(row, language ?? row.language) };
    },
    async file(scope, place, language) {
      const row = await found(parts, scope, place);
      const wanted = language ?? row.language;
      const stored = row.document_id !== null && wanted === row.language ? await documents.read(scope, row.document_id) : undefined;
      if (stored) return { ...stored, mediaType: 'application/pdf', sizeBytes: stored.bytes.byteLength, content: once(stored.bytes) };
      const { bytes, fileName } = await print(parts, row, wanted);
      return { fileName, mediaType: 'application/pdf', sizeBytes: bytes.byteLength, content: once(bytes) };
    },
    makeMonth: (scope, tenantId, signal) => makeMonth(parts, scope, tenantId, signal),
  });
}
