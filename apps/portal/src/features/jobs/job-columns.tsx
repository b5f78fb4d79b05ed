import type { Job } from '@holdfast/contract/jobs';
import type { ReactNode } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { jobTypeNames } from './job-words.ts';
import { scheduleText } from './schedule-text.ts';

/** The columns of every list of jobs; `actions` is the last one. */
export function useJobColumns(actions: (job: Job) => ReactNode): readonly Column<Job>[] {
  const text = useText();
  const format = useFormat();
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
      isExtra: true,
      value: (job) => text(jobTypeNames[job.type]),
      render: (job) => text(jobTypeNames[job.type]),
    },
    {
      id: 'workload',
      title: text('common.workload'),
      sort: 'workload',
      width: 125,
      value: (job) => text(`common.${job.workload}`),
      render: (job) => text(`common.${job.workload}`),
    },
    { id: 'sources', title: text('jobs.sources'), width: 100, value: sources, render: sources },
    { id: 'location', title: text('jobs.location'), width: 150, value: (job) => job.locationName, render: (job) => job.locationName },
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
    { id: 'actions', title: text('common.actions'), width: 105, isCommand: true, value: () => null, render: actions },
  ];
}

/** Filters of a list of jobs. */
export function useJobFilters(types: readonly [Job['type'], ...Job['type'][]]): readonly Filter[] {
  const text = useText();
  const statuses = ['scheduled', 'disabled', 'running', 'successful', 'defective', 'failed', 'cancelled', 'skipped'] as const;
  const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
  return [
    {
      id: 'type',
      label: text('jobs.type'),
      choices: types.map((value) => ({ value, label: text(jobTypeNames[value]) })),
      initial: types[0],
    },
    { id: 'workload', label: text('common.workload'), choices: workloads.map((value) => ({ value, label: text(`common.${value}`) })) },
    { id: 'status', label: text('common.status'), choices: statuses.map((value) => ({ value, label: text(`status.${value}`) })) },
  ];
}
