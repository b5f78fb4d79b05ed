import { Button } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { DataManagementAccount } from '@holdfast/contract/compliance-values';
import { printedReports } from '@holdfast/contract/printed-reports';
import type { ReactElement } from 'react';
import { read, useDownload } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { Size } from '../../ui/moment.tsx';

function useColumns(): readonly Column<DataManagementAccount>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const counted = (id: 'items' | 'exposed' | 'duplicates' | 'deleted', title: string): Column<DataManagementAccount> => ({
    id,
    title,
    sort: id,
    isNumber: true,
    width: 120,
    value: (row) => row[id],
    render: (row) => format.count(row[id]),
  });
  const sized = (id: 'bytes' | 'versionBytes', title: string): Column<DataManagementAccount> => ({
    id,
    title,
    sort: id,
    isNumber: true,
    width: 120,
    value: (row) => row[id],
    render: (row) => <Size bytes={row[id]} />,
  });
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 200, value: (row) => row.name, render: (row) => row.name },
    { id: 'kind', title: text('compliance.kind'), width: 110, value: (row) => codeText(row.kind), render: (row) => codeText(row.kind) },
    {
      id: 'url',
      title: text('jobs.address'),
      isExtra: true,
      width: 260,
      value: (row) => row.url,
      render: (row) => <Address value={row.url || '–'} />,
    },
    counted('items', text('compliance.files')),
    sized('bytes', text('compliance.size')),
    sized('versionBytes', text('compliance.earlierVersions')),
    counted('exposed', text('compliance.exposed')),
    counted('duplicates', text('compliance.duplicates')),
    { ...counted('deleted', text('compliance.deleted')), isExtra: true },
  ];
}

export interface ReportSitesProps {
  readonly tenantId: string;
  readonly reportId: string;
  readonly onClose: () => void;
}

/** The sites and OneDrives of a report, as they were when it was made. */
export function ReportSites({ tenantId, reportId, onClose }: ReportSitesProps): ReactElement {
  const text = useText();
  const columns = useColumns();
  const download = useDownload(printedReports.dataManagement);
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.accounts, { params: { tenantId, reportId }, query: query as QueryFor<typeof compliance.accounts>, quiet: true });
  return (
    <DetailDrawer title={text('compliance.sites')} isWide onClose={onClose}>
      <Row>
        <Button
          disabledFocusable={download.isPending}
          onClick={() => download.mutate({ params: { tenantId, reportId }, query: { language } })}
        >
          {text('periodReports.downloadPdf')}
        </Button>
      </Row>
      <DataTable
        id="report-sites"
        prefix="s-"
        label={text('compliance.sites')}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.siteId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('compliance.noAccounts')} />}
      />
    </DetailDrawer>
  );
}
