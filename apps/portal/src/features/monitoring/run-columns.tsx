import { Button } from '@fluentui/react-components';
import { jobTypes } from '@holdfast/contract/jobs';
import type { Run } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { jobTypeNames, workloadWord } from '../jobs/index.ts';
import type { RunArea } from './run-area.ts';
import { RunProgress, useRate } from './run-progress.tsx';
import { useMayStop } from './stop-run.tsx';

/** The detail below "Defective": how many items of how many. */
export function useDefect(): (run: Run) => string | undefined {
  const text = useText();
  const format = useFormat();
  return (run) =>
    run.status === 'defective'
      ? text('status.defectiveDetail', { errors: format.count(run.errors), total: format.count(run.total ?? run.processed) })
      : undefined;
}

/** When a run began and ended, and who started it. */
function useTimeColumns(): readonly Column<Run>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'startedAt',
      title: text('monitoring.startedAt'),
      sort: 'startedAt',
      width: 150,
      value: (run) => format.iso(run.startedAt ?? run.queuedAt),
      render: (run) => <Moment at={run.startedAt ?? run.queuedAt} />,
    },
    {
      id: 'endedAt',
      title: text('monitoring.endedAt'),
      sort: 'endedAt',
      isExtra: true,
      value: (run) => format.iso(run.endedAt),
      render: (run) => <Moment at={run.endedAt} />,
    },
    {
      id: 'startedBy',
      title: text('monitoring.startedBy'),
      isExtra: true,
      value: (run) => run.startedBy ?? '',
      render: (run) => run.startedBy ?? '–',
    },
  ];
}

/** The columns of every list of runs; with `onStop` a run that goes on can be stopped there. */
export function useRunColumns(onStop?: (run: Run) => void): readonly Column<Run>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const defect = useDefect();
  const times = useTimeColumns();
  const remaining = (run: Run): string => (run.remainingSeconds === null ? '–' : format.duration(run.remainingSeconds * 1000));
  const rateOf = useRate();
  const rate = (run: Run): string => rateOf(run) ?? '–';
  return [
    { id: 'job', title: text('monitoring.job'), sort: 'jobName', width: 220, value: (run) => run.jobName, render: (run) => run.jobName },
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      width: 180,
      value: (run) => text(`status.${run.status}`),
      render: (run) => <StatusBadge status={run.status} detail={defect(run)} />,
    },
    { id: 'type', title: text('jobs.type'), value: (run) => text(jobTypeNames[run.type]), render: (run) => text(jobTypeNames[run.type]) },
    {
      id: 'workload',
      title: text('common.workload'),
      width: 125,
      value: (run) => workloadWord(run, text),
      render: (run) => workloadWord(run, text),
    },
    {
      id: 'stage',
      title: text('monitoring.stage'),
      isExtra: true,
      value: (run) => codeText(run.stage),
      render: (run) => codeText(run.stage),
    },
    {
      id: 'progress',
      title: text('monitoring.processed'),
      width: 170,
      value: (run) => run.processed,
      render: (run) => (
        <Stack>
          <RunProgress run={run} isWhole />
          {onStop !== undefined && <StopButton run={run} onStop={onStop} />}
        </Stack>
      ),
    },
    {
      id: 'bytes',
      title: text('monitoring.bytes'),
      sort: 'bytes',
      isNumber: true,
      value: (run) => run.bytes,
      render: (run) => <Size bytes={run.bytes} />,
    },
    { id: 'rate', title: text('monitoring.rate'), isExtra: true, isNumber: true, value: rate, render: rate },
    { id: 'remaining', title: text('monitoring.remaining'), isExtra: true, isNumber: true, value: remaining, render: remaining },
    {
      id: 'errors',
      title: text('monitoring.errors'),
      sort: 'errors',
      isNumber: true,
      width: 90,
      value: (run) => run.errors,
      render: (run) => format.count(run.errors),
    },
    ...times,
  ];
}

interface StopButtonProps {
  readonly run: Run;
  readonly onStop: (run: Run) => void;
}

function StopButton({ run, onStop }: StopButtonProps): ReactElement | null {
  const text = useText();
  const mayStop = useMayStop(run);
  if (!mayStop) return null;
  return (
    <Row>
      <Button
        size="small"
        aria-label={text('monitoring.stopRun', { job: run.jobName })}
        disabledFocusable={run.status === 'cancelling'}
        onClick={() => onStop(run)}
      >
        {text('jobs.stop')}
      </Button>
    </Row>
  );
}

/** Filters of a list of runs: only those that leave a choice there. */
export function useRunFilters({ types, workload }: RunArea): readonly Filter[] {
  const text = useText();
  const listed = types ?? jobTypes;
  const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
  const statuses = ['pending', 'running', 'successful', 'defective', 'failed', 'cancelled', 'skipped'] as const;
  const byType: Filter = {
    id: 'type',
    label: text('jobs.type'),
    choices: listed.map((value) => ({ value, label: text(jobTypeNames[value]) })),
  };
  const byWorkload: Filter = {
    id: 'workload',
    label: text('common.workload'),
    choices: workloads.map((value) => ({ value, label: text(`common.${value}`) })),
  };
  return [
    { id: 'active', label: text('monitoring.active'), choices: [{ value: 'true', label: text('monitoring.onlyActive') }] },
    ...(listed.length > 1 ? [byType] : []),
    ...(workload === undefined ? [byWorkload] : []),
    { id: 'status', label: text('common.status'), choices: statuses.map((value) => ({ value, label: text(`status.${value}`) })) },
  ];
}
