import { reporting } from '@holdfast/contract/reporting';
import type { Run } from '@holdfast/contract/monitoring';
import type { QueryFor } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NarrowedByLink } from '../../ui/narrowed-by-link.tsx';
import { usePeriodOfLink, usePeriodWords } from '../../ui/period-of-link.ts';
import { queryOf, useRunColumns, useRunFilters, type RunArea } from '../monitoring/index.ts';

const ended: ReadonlySet<string> = new Set(['successful', 'defective', 'failed', 'cancelled', 'skipped']);

export interface RunReportsProps {
  readonly tenantId: string;
  readonly area: RunArea;
  readonly onOpen: (reportId: string) => void;
}

/** The reports of ended runs of an area, newest first. */
export function RunReports({ tenantId, area, onOpen }: RunReportsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const [job, ...others] = useRunColumns().filter(({ id }) => id !== 'endedAt');
  const columns: readonly Column<Run>[] = [
    ...(job === undefined ? [] : [job]),
    {
      id: 'number',
      title: text('reports.number'),
      sort: 'reportNumber',
      isNumber: true,
      width: 90,
      value: (run) => run.reportNumber,
      render: (run) => String(run.reportNumber),
    },
    {
      id: 'date',
      title: text('reports.date'),
      sort: 'endedAt',
      width: 140,
      value: (run) => format.iso(run.endedAt),
      render: (run) => <Moment at={run.endedAt} />,
    },
    // A report is dated by its end: the beginning is there for whoever wants it.
    ...others.map((column) => (column.id === 'startedAt' ? { ...column, isExtra: true } : column)),
  ];
  // A report is of a run that has ended.
  const filters = useRunFilters(area)
    .filter(({ id }) => id !== 'active')
    .map((filter) => (filter.id === 'status' ? { ...filter, choices: filter.choices.filter(({ value }) => ended.has(value)) } : filter));
  const period = usePeriodOfLink();
  const periodWords = usePeriodWords();
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(reporting.runs, {
      params: { tenantId },
      query: { ...queryOf(area), ...period, ...chosen, ...query } as QueryFor<typeof reporting.runs>,
      quiet: true,
    });
  return (
    <>
      {period !== null && <NarrowedByLink text={text('reports.period', periodWords(period))} names={['from', 'to']} />}
      <DataTable
        id={area.tableId}
        label={text('shell.reports')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(run) => run.reportId}
        rowName={(run) => run.jobName}
        onOpen={(run) => onOpen(run.reportId)}
        empty={<EmptyState text={text(area.empty ?? 'reports.empty')} />}
      />
    </>
  );
}
