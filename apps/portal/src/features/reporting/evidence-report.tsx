import { reporting } from '@holdfast/contract/reporting';
import type { Evidence } from '@holdfast/contract/reporting';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Findings } from './findings.tsx';
import { useFindingsText } from '../../i18n/use-findings-text.ts';

/** Verifications and restore drills, newest first. */
export function EvidenceReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const findingsText = useFindingsText();
  const evidence = useQuery(read(reporting.evidence, { params: { tenantId }, quiet: true }));
  const figure = (id: 'checked' | 'checkedBytes' | 'deviations', render: Column<Evidence>['render']): Column<Evidence> => {
    return { id, title: text(`reports.${id}`), isNumber: true, value: (row) => row[id], render };
  };
  /** Only a drill makes copies, and leaves out what has no place for them. */
  const copies = (['remaining', 'kept', 'leftOut'] as const).map((id): Column<Evidence> => {
    const count = (row: Evidence): number | null => (row.kind === 'drill' ? row[id] : null);
    return { id, title: text(`reports.${id}`), isNumber: true, value: count, render: (row) => format.count(count(row)) };
  });
  const numbers = [
    figure('checked', (row) => format.count(row.checked)),
    { ...figure('checkedBytes', (row) => <Size bytes={row.checkedBytes} />), id: 'bytes' },
    figure('deviations', (row) => format.count(row.deviations)),
  ];
  const columns: readonly Column<Evidence>[] = [
    {
      id: 'kind',
      title: text('reports.kind'),
      sort: 'kind',
      value: (row) => text(`reports.${row.kind}`),
      render: (row) => text(`reports.${row.kind}`),
    },
    {
      id: 'state',
      title: text('reports.state'),
      sort: 'state',
      width: 190,
      value: (row) => text(`status.${row.state}`),
      render: (row) => <StatusBadge status={row.state} />,
    },
    { id: 'at', title: text('reports.at'), sort: 'at', value: (row) => format.iso(row.at), render: (row) => <Moment at={row.at} /> },
    { id: 'location', title: text('reports.location'), value: (row) => row.locationName, render: (row) => row.locationName },
    ...numbers,
    {
      id: 'findings',
      title: text('reports.findings'),
      width: 340,
      value: (row) => findingsText(row.findings).join(' '),
      render: (row) => <Findings lines={findingsText(row.findings)} />,
    },
    ...copies,
  ];
  const filters: readonly Filter[] = [
    {
      id: 'kind',
      label: text('reports.kind'),
      choices: (['verify', 'drill'] as const).map((value) => ({ value, label: text(`reports.${value}`) })),
    },
    {
      id: 'state',
      label: text('reports.state'),
      choices: (['verified', 'overdue', 'deviation'] as const).map((value) => ({ value, label: text(`status.${value}`) })),
    },
  ];
  return (
    <DataTable
      id="evidence"
      label={text('reports.evidenceTab')}
      columns={columns}
      filters={filters}
      source={{ kind: 'list', rows: evidence.data?.items, error: evidence.error, retry: () => void evidence.refetch() }}
      rowKey={(row) => row.runId}
      rowName={(row) => format.dateTime(row.at)}
      onOpen={(row) => void navigate(`/backup-and-restore/job-monitor/${row.runId}`)}
      empty={<EmptyState text={text('reports.noEvidence')} />}
    />
  );
}
