import type { Paper, Section, TableBlock, Verdict } from '@holdfast/contract/paper';
import { deviationsIn, type PeriodReport, type ReportFigures } from '@holdfast/contract/period-reports';
import { byteUnit, drawBars, drawColumns } from '@holdfast/paper';
import { fill, type Language } from '../../http/language.ts';
import { controlSections } from './control-sections.ts';
import { listsOf, type ReportLists } from './report-lists.ts';
import { figure, linkedParts, reportWords, tableOf, type ReportWords } from './report-words.ts';
import { runSections } from './run-sections.ts';

type AttentionCode = ReportFigures['attention'][number]['code'];

function attentionLink(code: AttentionCode, lists: ReportLists): string {
  if (code === 'failed' || code === 'defective') return lists.runs({ status: code });
  if (code === 'unprotected') return lists.coverage({ state: code });
  if (code === 'deviation') return lists.evidence('deviation');
  return code === 'unreadable' ? lists.unreadable : lists.evidence();
}

function todoSection({ attention }: ReportFigures, { own, count }: ReportWords, lists: ReportLists): Section {
  const items = attention.map(({ code, count: many }) => ({
    text: fill(many === 1 ? own.attentionOne[code] : own.attention[code], { count: count(many) }),
    link: attentionLink(code, lists),
  }));
  return {
    title: own.todo,
    blocks:
      items.length === 0
        ? [{ kind: 'text', text: own.nothingToDo }]
        : [
            { kind: 'text', text: own.todoLead },
            { kind: 'list', items },
          ],
  };
}

type Protection = ReportFigures['protection'][number];
const STATES = ['protected', 'partly', 'unprotected', 'excluded'] as const;

/** How many of each workload are in which state. */
function protectionTable(rows: readonly Protection[], { own, phrases, count }: ReportWords, lists: ReportLists): TableBlock {
  return tableOf({ title: own.protectionByWorkload, rows, empty: own.protectionNone }, [
    { title: phrases.common.workload, of: ({ workload }) => phrases.common[workload], width: 3 },
    ...STATES.map((state) => ({
      title: phrases.status[state],
      of: (row: Protection) => count(row[state]),
      number: (row: Protection) => row[state],
      link: ({ workload }: Protection) => lists.coverage({ workload, state }),
    })),
  ]);
}

function notProtectedTable({ notProtected }: ReportFigures, { own, phrases, reason }: ReportWords, lists: ReportLists): TableBlock {
  return tableOf(
    {
      title: own.notProtected,
      rows: notProtected.items,
      total: notProtected.total,
      empty: own.notProtectedNone,
      more: own.more,
      moreLink: lists.coverage(),
      link: ({ workload }) => lists.coverage({ workload }),
    },
    [
      { title: own.name, of: ({ name }) => name || phrases.reports.everyOne, width: 3 },
      { title: own.address, of: ({ address }) => address, width: 4 },
      { title: phrases.common.workload, of: ({ workload }) => phrases.common[workload] },
      { title: own.reason, of: (row) => reason(row.reason), width: 5 },
    ],
  );
}

function protectionSection(found: ReportFigures, words: ReportWords, lists: ReportLists): Section {
  const { protection } = found;
  const { own, phrases, count } = words;
  const rows = protection.map(({ workload, protected: whole, partly, unprotected }) => ({
    label: phrases.common[workload],
    shown: `${count(whole)} / ${count(whole + partly + unprotected)}`,
    values: [whole, partly, unprotected],
  }));
  const series = [
    { name: phrases.status.protected, ink: 'success' },
    { name: phrases.status.partly, ink: 'warning' },
    { name: phrases.status.unprotected, ink: 'danger' },
  ] as const;
  const sum = (name: (typeof STATES)[number]): string => count(protection.reduce((total, row) => total + row[name], 0));
  const chart = { kind: 'chart', title: own.protectionChart, drawing: drawBars(rows, series), link: lists.everybody } as const;
  return {
    title: own.protection,
    blocks: [
      { kind: 'text', text: own.protectionLead },
      { kind: 'figures', figures: STATES.map((state) => figure(phrases.status[state], sum(state), lists.coverage({ state }))) },
      ...(rows.length > 0 ? [chart] : []),
      protectionTable(protection, words, lists),
      notProtectedTable(found, words, lists),
    ],
  };
}

function growthSection(found: ReportFigures, { own, count, size, day }: ReportWords, lists: ReportLists): Section {
  const stored = found.days.reduce((total, { storedBytes }) => total + storedBytes, 0);
  const columns = found.days.map(({ date, bytes }) => ({
    label: day(date),
    values: [bytes],
  }));
  const link = lists.runs();
  return {
    title: own.growth,
    blocks: [
      {
        kind: 'figures',
        figures: [
          figure(own.itemsBackedUp, count(found.items), link),
          figure(own.bytesRead, size(found.bytes), link),
          figure(own.bytesStored, size(stored), link),
          figure(own.accounts, count(found.accounts), lists.accounts),
        ],
      },
      {
        kind: 'chart',
        title: own.growthChart,
        drawing: drawColumns(columns, [{ name: own.bytesRead, ink: 'brand' }], { format: size, unit: byteUnit }),
        link,
      },
      tableOf({ title: own.storage, rows: found.storage, empty: own.storageNone, link: () => lists.locations }, [
        { title: own.location, of: ({ location }) => location, width: 4 },
        { title: own.sourceBytes, of: ({ sourceBytes }) => size(sourceBytes), number: ({ sourceBytes }) => sourceBytes },
        { title: own.addedBytes, of: ({ addedBytes }) => size(addedBytes), number: ({ addedBytes }) => addedBytes, link: () => link },
      ]),
    ],
  };
}

type Top = ReportFigures['top']['size'][number];

function topSection({ top }: ReportFigures, { own, count, size }: ReportWords, lists: ReportLists): Section {
  const table = (title: string, rows: readonly Top[]) =>
    tableOf({ title, rows, empty: own.topNone, link: (row) => lists.mailbox(row) }, [
      { title: own.name, of: ({ name }) => name, width: 3 },
      { title: own.address, of: ({ address }) => address, width: 4 },
      { title: own.size, of: ({ bytes }) => size(bytes), number: ({ bytes }) => bytes },
      { title: own.messages, of: ({ messages }) => count(messages), number: ({ messages }) => messages },
      { title: own.attachments, of: ({ attachments }) => count(attachments), number: ({ attachments }) => attachments },
    ]);
  const bars = top.size.map(({ name, bytes }) => ({ label: name, shown: size(bytes), values: [bytes] }));
  const drawing = drawBars(bars, [{ name: own.size, ink: 'brand' }]);
  const chart = { kind: 'chart', title: own.topChart, drawing, link: lists.mailboxes } as const;
  return {
    title: own.top,
    blocks: [
      ...(bars.length > 0 ? [chart] : []),
      table(own.topSize, top.size),
      table(own.topMessages, top.messages),
      table(own.topAttachments, top.attachments),
    ],
  };
}

/** Deviations mean that data may be lost; everything else that needs attention can still be mended. */
function verdictOf(found: ReportFigures, { own, count }: ReportWords, lists: ReportLists): Verdict {
  const { attention, protection, runs } = found;
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const grave = attention.some(({ code }) => code === 'deviation');
  const leading = (value: number, link: string) => ({ text: count(value), link });
  const all = sum(protection, (row) => row.protected + row.partly + row.unprotected);
  const parts = linkedParts(own.verdicts.period, {
    protected: leading(
      sum(protection, (row) => row.protected),
      lists.coverage({ state: 'protected' }),
    ),
    all: leading(all, lists.everybody),
    failed: leading(
      sum(runs, ({ failed }) => failed),
      lists.runs({ status: 'failed' }),
    ),
    runs: leading(
      sum(runs, (row) => row.runs),
      lists.runs(),
    ),
    deviations: leading(deviationsIn(found), lists.evidence('deviation')),
  });
  const [ink, state] = grave
    ? (['danger', own.verdicts.atRisk] as const)
    : attention.length > 0
      ? (['warning', own.verdicts.attention] as const)
      : (['success', own.verdicts.well] as const);
  return { ink, state, text: parts.map(({ text }) => text).join(''), parts };
}

function subtitleOf({ kind, from, to }: PeriodReport, timeZone: string, language: Language): string {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  if (kind === 'monthly') return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone }).format(new Date(from));
  const last = new Date(new Date(to).getTime() - 1);
  const { own, date } = reportWords(language, timeZone);
  return fill(own.period, { from: date(from), to: date(last.toISOString()) });
}

/** A report of a period as a document: the same figures make the same paper. */
export function composeReport(report: PeriodReport, found: ReportFigures, language: Language): Paper {
  const words = reportWords(language, found.timeZone);
  const { own, moment } = words;
  const lists = listsOf(report);
  return {
    language,
    title: own[report.kind],
    subtitle: subtitleOf(report, found.timeZone, language),
    verdict: verdictOf(found, words, lists),
    facts: [
      { label: own.organisation, value: found.organisation },
      { label: own.tenant, value: found.tenant },
      { label: own.number, value: String(report.reportNumber) },
      { label: own.span, value: `${moment(report.from)} – ${moment(report.to)} (${found.timeZone})` },
      { label: own.madeAt, value: moment(report.madeAt) },
      { label: own.maker, value: report.maker ?? own.automatic },
    ],
    sections: [todoSection, protectionSection, growthSection, ...runSections, topSection, ...controlSections].map((section) =>
      section(found, words, lists),
    ),
  };
}

const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const MAX_TENANT = 100;

/** The name of its file, made of nothing that a file system or the list of documents refuses. */
export function fileNameOf({ title, language }: Paper, number: number, tenant: string): string {
  const safe = tenant.normalize('NFC').replaceAll(FORBIDDEN, '_').trim().slice(0, MAX_TENANT).trim();
  return `${fill(reportWords(language, 'UTC').own.fileName, { title, number, tenant: safe }).trim()}.pdf`;
}
