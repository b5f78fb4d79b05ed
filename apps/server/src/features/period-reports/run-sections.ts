import type { JobType } from '@holdfast/contract/jobs';
import type { Section } from '@holdfast/contract/paper';
import type { ReportedRun, ReportFigures } from '@holdfast/contract/period-reports';
import type { ReportLists } from './report-lists.ts';
import { tableOf, type ReportColumn, type ReportWords } from './report-words.ts';

/** The word for a kind of job. */
export function kindOf({ phrases: { jobs } }: ReportWords, type: JobType): string {
  return jobs[`type${type.charAt(0).toUpperCase()}${type.slice(1)}` as `type${Capitalize<JobType>}`];
}

function runColumns({ own, phrases, moment }: ReportWords): readonly ReportColumn<ReportedRun>[] {
  return [
    { title: own.date, of: ({ at }) => moment(at), width: 3 },
    { title: own.job, of: ({ jobName }) => jobName, width: 4 },
    { title: own.status, of: ({ status }) => phrases.status[status] },
  ];
}

function cut<Row>({ items, total }: { readonly items: readonly Row[]; readonly total: number }) {
  return { rows: items, total };
}

type RunCounts = ReportFigures['runs'][number];

function ranSection(found: ReportFigures, words: ReportWords, lists: ReportLists): Section {
  const { own, count, reason } = words;
  const counted = (['runs', 'successful', 'defective', 'failed', 'skipped', 'cancelled'] as const).map((name) => ({
    title: name === 'runs' ? own.all : own[name],
    of: (row: RunCounts) => count(row[name]),
    number: (row: RunCounts) => row[name],
    link: ({ type }: RunCounts) => lists.runs({ type, ...(name === 'runs' ? {} : { status: name }) }),
  }));
  const kind = { title: own.type, of: ({ type }: RunCounts) => kindOf(words, type), width: 3 };
  return {
    title: own.runs,
    blocks: [
      tableOf({ title: own.byKind, rows: found.runs, empty: own.runsNone, link: ({ type }) => lists.runs({ type }) }, [kind, ...counted]),
      tableOf(
        {
          title: own.troubled,
          ...cut(found.troubled),
          empty: own.troubledNone,
          more: own.more,
          moreLink: lists.runs(),
          link: ({ runId }) => lists.run(runId),
        },
        [...runColumns(words), { title: own.reason, of: ({ code }) => reason(code), width: 5 }],
      ),
    ],
  };
}

function restoresSection({ restores }: ReportFigures, words: ReportWords, lists: ReportLists): Section {
  const { own, count } = words;
  return {
    title: own.restores,
    blocks: [
      tableOf(
        {
          title: '',
          ...cut(restores),
          empty: own.restoresNone,
          more: own.more,
          moreLink: lists.runs(),
          link: ({ runId }) => lists.run(runId),
        },
        [
          ...runColumns(words),
          { title: own.items, of: ({ items }) => count(items), number: ({ items }) => items },
          { title: own.startedBy, of: ({ who }) => who ?? '', width: 4 },
        ],
      ),
    ],
  };
}

function evidenceSection({ evidence }: ReportFigures, words: ReportWords, lists: ReportLists): Section {
  const { own, phrases, count, moment } = words;
  return {
    title: own.evidence,
    blocks: [
      tableOf(
        {
          title: '',
          ...cut(evidence),
          empty: own.evidenceNone,
          more: own.more,
          moreLink: lists.evidence(),
          link: ({ runId }) => lists.run(runId),
        },
        [
          { title: own.date, of: ({ at }) => moment(at), width: 3 },
          { title: own.type, of: ({ kind }) => phrases.reports[kind], width: 3 },
          { title: own.location, of: ({ locationName }) => locationName, width: 3 },
          { title: own.checked, of: ({ checked }) => count(checked), number: ({ checked }) => checked },
          { title: own.deviations, of: ({ deviations }) => count(deviations), number: ({ deviations }) => deviations },
        ],
      ),
    ],
  };
}

/** What ran and went wrong, what was restored and what was verified. */
export const runSections = [ranSection, restoresSection, evidenceSection] as const;
