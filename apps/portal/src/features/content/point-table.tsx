import type { RestorePoint } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const counts = ['added', 'changed', 'removed'] as const;

export interface PointTableProps {
  readonly points: readonly RestorePoint[];
  readonly onChoose: (point: RestorePoint) => void;
}

/** The restore points of the calendar, row by row. */
export function PointTable({ points, onChoose }: PointTableProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns: readonly Column<RestorePoint>[] = [
    {
      id: 'at',
      title: text('restore.pointTime'),
      width: 180,
      value: (point) => format.iso(point.at),
      render: (point) => format.dateTime(point.at),
    },
    {
      id: 'status',
      title: text('common.status'),
      width: 165,
      value: (point) => text(`status.${point.status}`),
      render: (point) => <StatusBadge status={point.status} />,
    },
    ...counts.map((name): Column<RestorePoint> => ({
      id: name,
      title: text(`monitoring.${name}`),
      isNumber: true,
      value: (point) => point[name],
      render: (point) => format.count(point[name]),
    })),
  ];
  const filters: readonly Filter[] = [
    {
      id: 'status',
      label: text('common.status'),
      choices: (['successful', 'defective'] as const).map((value) => ({ value, label: text(`status.${value}`) })),
    },
  ];
  return (
    <DataTable
      id="restore-points"
      prefix="p-"
      label={text('restore.points')}
      columns={columns}
      filters={filters}
      source={{ kind: 'list', rows: points }}
      rowKey={(point) => String(point.sequence)}
      rowName={(point) => format.dateTime(point.at)}
      onOpen={onChoose}
      empty={<EmptyState text={text('restore.empty')} />}
    />
  );
}
