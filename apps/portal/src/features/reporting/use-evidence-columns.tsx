import type { Evidence } from '@holdfast/contract/reporting';
import { useFindingsText } from '../../i18n/use-findings-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Column } from '../../ui/data-table/types.ts';
import { Moment, Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Findings } from './findings.tsx';

/** The columns of verifications and drills. They fit into a window of 1280 pixels in both languages. */
export function useEvidenceColumns(): readonly Column<Evidence>[] {
  const text = useText();
  const format = useFormat();
  const findingsText = useFindingsText();
  /** Only a drill makes copies, and leaves out what has no place for them. */
  const leftBehind = (row: Evidence): string[] =>
    (['remaining', 'kept', 'leftOut'] as const)
      .filter((id) => row[id] > 0)
      .map((id) => `${text(`reports.${id}`)}: ${format.count(row[id])}`);
  return [
    {
      id: 'kind',
      title: text('reports.kind'),
      sort: 'kind',
      width: 250,
      value: (row) => text(`reports.${row.kind}`),
      render: (row) => text(`reports.${row.kind}`),
    },
    {
      id: 'state',
      title: text('reports.state'),
      sort: 'state',
      width: 165,
      value: (row) => text(`status.${row.state}`),
      render: (row) => <StatusBadge status={row.state} />,
    },
    {
      id: 'at',
      title: text('reports.at'),
      sort: 'at',
      width: 110,
      value: (row) => format.iso(row.at),
      render: (row) => <Moment at={row.at} />,
    },
    { id: 'location', title: text('reports.location'), width: 122, value: (row) => row.locationName, render: (row) => row.locationName },
    {
      id: 'checked',
      width: 108,
      title: text('reports.checked'),
      isNumber: true,
      value: (row) => row.checked,
      render: (row) => format.count(row.checked),
    },
    {
      id: 'bytes',
      title: text('reports.checkedBytes'),
      isNumber: true,
      isExtra: true,
      value: (row) => row.checkedBytes,
      render: (row) => <Size bytes={row.checkedBytes} />,
    },
    {
      id: 'deviations',
      title: text('reports.deviations'),
      isNumber: true,
      width: 152,
      value: (row) => row.deviations,
      render: (row) => format.count(row.deviations),
    },
    {
      id: 'findings',
      title: text('reports.findings'),
      width: 256,
      value: (row) => findingsText(row.findings).join(' '),
      render: (row) => <Findings lines={findingsText(row.findings)} />,
    },
    {
      id: 'leftBehind',
      title: text('reports.leftBehind'),
      width: 156,
      value: (row) => leftBehind(row).join('; '),
      render: (row) => <Findings lines={leftBehind(row)} />,
    },
  ];
}
