import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { scanKinds, type DataManagementReport } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { StartScan } from './start-scan.tsx';

function useColumns(): readonly Column<DataManagementReport>[] {
  const text = useText();
  const format = useFormat();
  const counted = (id: 'sites' | 'files' | 'exposed' | 'duplicates' | 'deleted', title: string): Column<DataManagementReport> => ({
    id,
    title,
    isNumber: true,
    width: 130,
    value: (row) => row.counts[id],
    render: (row) => format.count(row.counts[id]),
  });
  const sized = (id: 'bytes' | 'versionBytes', title: string): Column<DataManagementReport> => ({
    id,
    title,
    isNumber: true,
    width: 130,
    value: (row) => row.counts[id],
    render: (row) => <Size bytes={row.counts[id]} />,
  });
  return [
    {
      id: 'number',
      title: text('compliance.number'),
      sort: 'reportNumber',
      isNumber: true,
      width: 100,
      value: (row) => row.reportNumber,
      render: (row) => String(row.reportNumber),
    },
    {
      id: 'date',
      title: text('compliance.date'),
      sort: 'reportDate',
      width: 150,
      value: (row) => format.iso(row.reportDate),
      render: (row) => <Moment at={row.reportDate} />,
    },
    {
      id: 'kind',
      title: text('compliance.kind'),
      width: 160,
      value: (row) => text(`compliance.scanKinds.${row.kind}`),
      render: (row) => text(`compliance.scanKinds.${row.kind}`),
    },
    counted('sites', text('compliance.sites')),
    counted('files', text('compliance.files')),
    sized('bytes', text('compliance.size')),
    sized('versionBytes', text('compliance.earlierVersions')),
    counted('exposed', text('compliance.exposed')),
    counted('duplicates', text('compliance.duplicates')),
    { ...counted('deleted', text('compliance.deleted')), isExtra: true },
  ];
}

export interface ScanReportsProps {
  readonly tenantId: string;
  readonly onOpen: (reportId: string) => void;
}

/** A report for each scan: number, date and sums. */
export function ScanReports({ tenantId, onOpen }: ScanReportsProps): ReactElement {
  const text = useText();
  const columns = useColumns();
  const byKind: Filter = {
    id: 'kind',
    label: text('compliance.kind'),
    choices: scanKinds.map((value) => ({ value, label: text(`compliance.scanKinds.${value}`) })),
  };
  const page = ({ filters, search: _search, ...query }: PageQuery) =>
    read(compliance.reports, { params: { tenantId }, query: { ...filters, ...query } as QueryFor<typeof compliance.reports>, quiet: true });
  return (
    <>
      <Row>
        <StartScan tenantId={tenantId} />
      </Row>
      <DataTable
        id="data-reports"
        label={text('compliance.reportsTab')}
        columns={columns}
        filters={[byKind]}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.reportId}
        rowName={(row) => text('compliance.reportOf', { number: row.reportNumber })}
        onOpen={(row) => onOpen(row.reportId)}
        empty={<EmptyState text={text('compliance.noReports')} />}
      />
    </>
  );
}
