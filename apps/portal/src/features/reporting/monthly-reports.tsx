import { reporting } from '@holdfast/contract/reporting';
import type { MonthlyReport } from '@holdfast/contract/reporting';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Size } from '../../ui/moment.tsx';

/** A report for each month. */
export function MonthlyReports({
  tenantId,
  onOpen,
}: {
  readonly tenantId: string;
  readonly onOpen: (reportId: string) => void;
}): ReactElement {
  const text = useText();
  const format = useFormat();
  const months = useQuery(read(reporting.monthly, { params: { tenantId }, quiet: true }));
  const monthName = new Intl.DateTimeFormat(format.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  // The number says the month (202611), whatever the clocks here and there say of its first moment.
  const month = ({ reportNumber }: MonthlyReport): string =>
    monthName.format(Date.UTC(Math.floor(reportNumber / 100), (reportNumber % 100) - 1));
  const counts = ['runs', 'successful', 'defective', 'failed', 'skipped', 'items', 'accounts', 'restores'] as const;
  const columns: readonly Column<MonthlyReport>[] = [
    { id: 'month', title: text('reports.month'), width: 160, value: month, render: month },
    {
      id: 'number',
      title: text('reports.number'),
      sort: 'number',
      isNumber: true,
      value: (row) => row.reportNumber,
      render: (row) => String(row.reportNumber),
    },
    {
      id: 'date',
      title: text('reports.date'),
      sort: 'date',
      width: 130,
      value: (row) => format.iso(row.reportDate),
      render: (row) => format.date(row.reportDate),
    },
    ...counts.map((name): Column<MonthlyReport> => ({
      id: name,
      title: text(`reports.${name}`),
      sort: name,
      isNumber: true,
      // The names of the columns are longer than their figures.
      width: 130,
      value: (row) => row[name],
      render: (row) => format.count(row[name]),
    })),
    {
      id: 'bytes',
      title: text('reports.bytes'),
      sort: 'bytes',
      isNumber: true,
      value: (row) => row.bytes,
      render: (row) => <Size bytes={row.bytes} />,
    },
  ];
  return (
    <DataTable
      id="monthly-reports"
      label={text('reports.monthlyTab')}
      columns={columns}
      source={{ kind: 'list', rows: months.data?.items, error: months.error, retry: () => void months.refetch() }}
      rowKey={(row) => row.reportId}
      rowName={month}
      onOpen={(row) => onOpen(row.reportId)}
      empty={<EmptyState text={text('reports.empty')} />}
    />
  );
}
