import { traitsOf, type Job } from '@holdfast/contract/jobs';
import type { ReactNode } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { jobTypeNames, locationWord, workloadWord } from './job-words.ts';
import type { JobArea } from './job-area.ts';
import { retentionText } from './retention-text.ts';
import { ResultMarks } from './result-marks.tsx';
import { scheduleText } from './schedule-text.ts';

/** What a list of jobs shows of jobs that delete: their rule, and whether a second person has agreed. */
function useDeletionColumns(): readonly Column<Job>[] {
  const text = useText();
  const rule = (job: Job): string => ('retention' in job ? retentionText(job.retention, text) : '–');
  const approval = (job: Job): string => text(`jobs.approvals.${job.approval}`);
  return [
    { id: 'rule', title: text('jobs.retention'), width: 200, value: rule, render: rule },
    { id: 'approval', title: text('jobs.approval'), width: 150, value: approval, render: approval },
  ];
}

/** The columns of every list of jobs; `actions` is the last one. */
export function useJobColumns({ types, listsAll }: JobArea, actions: (job: Job) => ReactNode): readonly Column<Job>[] {
  const text = useText();
  const format = useFormat();
  const kinds = useColumnKinds<Job>();
  const deletion = useDeletionColumns();
  const sources = (job: Job): string =>
    'sourceCount' in job && job.sourceCount !== null ? text('jobs.sourceCount', { count: job.sourceCount }) : text('jobs.everyone');
  return [
    { id: 'name', title: text('jobs.name'), sort: 'name', width: 220, value: (job) => job.name, render: (job) => job.name },
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      width: 150,
      value: (job) => text(`status.${job.status}`),
      render: (job) => (
        <StatusBadge status={job.status} detail={job.progress > 0 && job.progress < 100 ? format.percent(job.progress / 100) : undefined} />
      ),
    },
    {
      id: 'type',
      title: text('jobs.type'),
      sort: 'type',
      ...(listsAll ? {} : { isExtra: true }),
      value: (job) => text(jobTypeNames[job.type]),
      render: (job) => text(jobTypeNames[job.type]),
    },
    {
      id: 'workload',
      title: text('common.workload'),
      sort: 'workload',
      width: 125,
      value: (job) => workloadWord(job, text),
      render: (job) => workloadWord(job, text),
    },
    ...(traitsOf(types[0]).needsApproval ? deletion : []),
    { id: 'sources', title: text('jobs.sources'), width: 100, value: sources, render: sources },
    { id: 'location', title: text('jobs.location'), width: 150, value: locationWord, render: locationWord },
    {
      id: 'schedule',
      title: text('jobs.schedule'),
      width: 180,
      value: (job) => scheduleText(job.schedule, text, format),
      render: (job) => scheduleText(job.schedule, text, format),
    },
    { id: 'creator', title: text('jobs.creator'), isExtra: true, value: (job) => job.creator, render: (job) => job.creator },
    {
      id: 'lastRun',
      title: text('jobs.lastRun'),
      sort: 'lastRun',
      width: 150,
      value: (job) => format.iso(job.lastRun?.endedAt ?? job.lastRun?.startedAt),
      render: (job) => (
        <>
          {/* The state says that it is disabled, and so not how its last run ended. */}
          {job.status === 'disabled' && job.lastRun !== null && <StatusBadge status={job.lastRun.status} />}
          <Moment at={job.lastRun?.endedAt ?? job.lastRun?.startedAt} />
          {job.lastResults.length > 0 && <ResultMarks results={job.lastResults} />}
        </>
      ),
    },
    {
      id: 'nextRun',
      title: text('jobs.nextRun'),
      sort: 'nextRun',
      width: 165,
      value: (job) => format.iso(job.nextRun),
      render: (job) => format.dateTime(job.nextRun),
    },
    {
      id: 'restorePoints',
      title: text('jobs.restorePoints'),
      isNumber: true,
      isExtra: true,
      value: (job) => job.restorePoints,
      render: (job) => format.count(job.restorePoints),
    },
    kinds.actions(actions, 105),
  ];
}

/** Filters of a list of jobs. */
export function useJobFilters({ types, alsoListed, listsAll, workload }: JobArea): readonly Filter[] {
  const text = useText();
  const statuses = ['scheduled', 'disabled', 'running', 'successful', 'defective', 'failed', 'cancelled', 'skipped'] as const;
  const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
  const listed = [...types, ...alsoListed];
  const byType: Filter = {
    id: 'type',
    label: text('jobs.type'),
    choices: listed.map((value) => ({ value, label: text(jobTypeNames[value]) })),
    ...(listsAll ? {} : { initial: types[0] }),
  };
  const byWorkload: Filter = {
    id: 'workload',
    label: text('common.workload'),
    choices: workloads.map((value) => ({ value, label: text(`common.${value}`) })),
  };
  return [
    ...(listed.length > 1 ? [byType] : []),
    ...(workload === undefined ? [byWorkload] : []),
    { id: 'status', label: text('common.status'), choices: statuses.map((value) => ({ value, label: text(`status.${value}`) })) },
  ];
}
