import type { JobType } from '@holdfast/contract/jobs';
import type { Section } from '@holdfast/contract/paper';
import type { ReportedRun, ReportFigures } from '@holdfast/contract/period-reports';
import { reportsAddress } from '@holdfast/contract/reporting';
import { tableOf, type ReportColumn, type ReportWords } from './report-words.ts';

const linkOf = ({ runId }: { readonly runId: string }): string => `/backup-and-restore/job-monitor/${runId}`;

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

/** What ran, what went wrong, what was restored and what was proved. */
export function runSections(found: ReportFigures, words: ReportWords): readonly Section[] {
  const { own, phrases, count, moment, reason } = words;
  const columns = runColumns(words);
  const counted = (['runs', 'successful', 'defective', 'failed', 'skipped', 'cancelled'] as const).map((name) => ({
    title: name === 'runs' ? own.all : own[name],
    of: (row: ReportFigures['runs'][number]) => count(row[name]),
    number: (row: ReportFigures['runs'][number]) => row[name],
  }));
  const { more } = own;
  return [
    {
      title: own.runs,
      blocks: [
        tableOf(
          { title: own.byKind, rows: found.runs, empty: own.runsNone, link: ({ type }) => `${reportsAddress('runs')}&type=${type}` },
          [{ title: own.type, of: ({ type }) => kindOf(words, type), width: 3 }, ...counted],
        ),
        tableOf({ title: own.troubled, ...cut(found.troubled), empty: own.troubledNone, more, link: linkOf }, [
          ...columns,
          { title: own.reason, of: ({ code }) => reason(code), width: 5 },
        ]),
      ],
    },
    {
      title: own.restores,
      blocks: [
        tableOf({ title: '', ...cut(found.restores), empty: own.restoresNone, more, link: linkOf }, [
          ...columns,
          { title: own.items, of: ({ items }) => count(items), number: ({ items }) => items },
          { title: own.startedBy, of: ({ who }) => who ?? '', width: 4 },
        ]),
      ],
    },
    {
      title: own.evidence,
      blocks: [
        tableOf({ title: '', ...cut(found.evidence), empty: own.evidenceNone, more, link: linkOf }, [
          { title: own.date, of: ({ at }) => moment(at), width: 3 },
          { title: own.type, of: ({ kind }) => phrases.reports[kind], width: 3 },
          { title: own.location, of: ({ locationName }) => locationName, width: 3 },
          { title: own.checked, of: ({ checked }) => count(checked), number: ({ checked }) => checked },
          { title: own.deviations, of: ({ deviations }) => count(deviations), number: ({ deviations }) => deviations },
        ]),
      ],
    },
  ];
}

function cut<Row>({ items, total }: { readonly items: readonly Row[]; readonly total: number }) {
  return { rows: items, total };
}
