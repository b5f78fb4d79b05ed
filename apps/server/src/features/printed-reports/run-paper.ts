import { traitsOf } from '@holdfast/contract/jobs';
import type { RunAccount, RunDetails, RunProblem } from '@holdfast/contract/monitoring';
import type { Paper, Section, Verdict } from '@holdfast/contract/paper';
import type { Evidence } from '@holdfast/contract/reporting';
import type { Language } from '../../http/language.ts';
import { figure, kindOf, reportWords, tableOf, type ReportOwner, type ReportWords } from '../period-reports/index.ts';
import { erasureFacts, erasureFigures, erasureSections, type Erasure } from './erasure-sections.ts';
import type { RunApproval } from './approved-runs.views.ts';

export interface RunReport {
  readonly owner: ReportOwner;
  readonly at: Date;
  readonly run: RunDetails;
  readonly accounts: readonly RunAccount[];
  readonly problems: readonly RunProblem[];
  readonly approval: RunApproval | undefined;
  readonly evidence: Evidence | undefined;
  /** The deletion of archived messages that it carried out. */
  readonly erasure: Erasure | undefined;
}

/** What the report of a run is called: by what its kind does, not by its name. */
function titleOf({ own }: ReportWords, { type }: RunDetails): string {
  const { deletes, erases, proves, putsBack } = traitsOf(type);
  if (deletes || erases) return own.deletionTitle;
  if (proves) return putsBack ? own.drillTitle : own.verificationTitle;
  return putsBack ? own.restoreTitle : own.runTitle;
}

type Facts = Paper['facts'];

const optional = (label: string, value: string | null | undefined): Facts => (value ? [{ label, value }] : []);

/** Who asked for it, and who agreed. */
function approvalFacts({ approval }: RunReport, { own, moment }: ReportWords): Facts {
  if (!approval) return [];
  return [
    { label: own.requester, value: approval.requester },
    ...optional(own.approver, approval.mode === 'delay' ? own.byDelay : approval.approver),
    ...optional(own.approvedAt, approval.decidedAt === null ? null : moment(approval.decidedAt.toISOString())),
  ];
}

function factsOf(report: RunReport, words: ReportWords): Facts {
  const { owner, at, run } = report;
  const { own, phrases, moment } = words;
  return [
    { label: own.organisation, value: owner.organisation },
    { label: own.tenant, value: owner.tenant },
    { label: own.number, value: String(run.reportNumber) },
    { label: own.job, value: run.jobName },
    { label: own.type, value: kindOf(words, run.type) },
    { label: own.status, value: phrases.status[run.status] },
    ...optional(own.startedBy, run.startedBy),
    ...optional(own.started, run.startedAt === null ? null : moment(run.startedAt)),
    ...optional(own.ended, run.endedAt === null ? null : moment(run.endedAt)),
    ...optional(own.source, run.restore?.source),
    ...optional(own.recipient, run.restore?.recipient),
    ...optional(own.reason, run.restore?.reason),
    ...(report.erasure ? erasureFacts(report.erasure, words) : []),
    ...approvalFacts(report, words),
    { label: own.madeAt, value: `${moment(at.toISOString())} (${owner.timeZone})` },
  ];
}

function figuresOf({ run, evidence, erasure }: RunReport, words: ReportWords): Section {
  const { own, count, size } = words;
  if (erasure) return { title: own.result, blocks: [{ kind: 'figures', figures: erasureFigures(erasure, words) }] };
  const proved = evidence ? [figure(own.checked, count(evidence.checked)), figure(own.deviations, count(evidence.deviations))] : [];
  const { deletes } = traitsOf(run.type);
  return {
    title: own.result,
    blocks: [
      {
        kind: 'figures',
        figures: deletes
          ? [figure(own.removed, count(run.counts.removed)), figure(own.pointsKept, count(run.counts.unchanged))]
          : [
              ...proved,
              figure(own.items, count(run.processed)),
              figure(own.size, size(run.bytes)),
              figure(own.errors, count(run.errors)),
              figure(own.excluded, count(run.excluded)),
            ],
      },
    ],
  };
}

const INKS = { successful: 'success', defective: 'warning', failed: 'danger' } as const;

/** How the run ended, and what its first figures are. A deviation outweighs a run that went well: it was found by it. */
function verdictOf(report: RunReport, words: ReportWords): Verdict {
  const { run, evidence } = report;
  const { status } = run;
  const figures = figuresOf(report, words).blocks.flatMap((block) => (block.kind === 'figures' ? block.figures.slice(0, 2) : []));
  const deviates = (evidence?.deviations ?? 0) > 0;
  const ended = status in INKS ? INKS[status as keyof typeof INKS] : 'neutral';
  const told = figures.map(({ label, value }) => `${label}: ${value}.`);
  return {
    ink: deviates ? 'danger' : ended,
    state: deviates ? words.own.verdicts.atRisk : words.phrases.status[status],
    text: [...told, ...(run.code === null ? [] : [words.reason(run.code)])].join(' '),
  };
}

/** The report of a run that has ended. */
export function runPaper(report: RunReport, language: Language): Paper {
  const { owner, run, accounts, problems, evidence } = report;
  const words = reportWords(language, owner.timeZone);
  const { own, phrases, count, size, moment, reason } = words;
  const findings = (evidence?.findings ?? []).map(({ code, count: many }) => ({ text: `${reason(code)} (${count(many)})` }));
  return {
    language,
    title: titleOf(words, run),
    subtitle: `${run.jobName}, ${moment(run.endedAt ?? run.queuedAt)}`,
    verdict: verdictOf(report, words),
    facts: factsOf(report, words),
    sections: [
      figuresOf(report, words),
      ...(report.erasure ? erasureSections(report.erasure, words) : []),
      ...(findings.length === 0 ? [] : [{ title: own.findings, blocks: [{ kind: 'list' as const, items: findings }] }]),
      {
        title: phrases.reports.accounts,
        blocks: [
          tableOf({ title: '', rows: accounts, empty: phrases.common.none }, [
            { title: own.name, of: ({ name }) => name, width: 3 },
            { title: own.address, of: ({ address }) => address, width: 4 },
            { title: own.status, of: ({ status }) => phrases.status[status] },
            { title: own.items, of: ({ items }) => count(items), number: ({ items }) => items },
            { title: own.size, of: ({ bytes }) => size(bytes), number: ({ bytes }) => bytes },
            { title: own.reason, of: ({ code }) => reason(code), width: 4 },
          ]),
        ],
      },
      {
        title: own.problems,
        blocks: [
          tableOf({ title: '', rows: problems, empty: own.problemsNone }, [
            { title: own.name, of: ({ accountName }) => accountName, width: 3 },
            { title: own.path, of: ({ path }) => path, width: 4 },
            { title: own.reason, of: ({ code }) => reason(code), width: 5 },
          ]),
        ],
      },
    ],
  };
}
