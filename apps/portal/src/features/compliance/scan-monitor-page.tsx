import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { scanKinds, scanStatuses, type Scan } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { RunList } from '../monitoring/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { StartScan } from './start-scan.tsx';

const tabs = ['scans', 'deletions'] as const;
const pollMs = 5_000;
const deletions = { tableId: 'deletion-runs', types: ['deletion'], empty: 'compliance.noDeletions' } as const;

/** `/compliance/monitoring`: scans, and runs that delete restore points. */
export default function ScanMonitorPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'scans';
  return (
    <Page title={text('shell.jobMonitor')} lead={text('compliance.monitorLead')}>
      <Tabs names={tabs} selected={tab} word={(name) => text(`compliance.${name}Tab`)} onSelect={(name) => setParams({ tab: name })} />
      <WithTenant>
        {(tenant) =>
          tab === 'scans' ? (
            <Scans tenantId={tenant.tenantId} />
          ) : (
            <RunList
              tenantId={tenant.tenantId}
              label={text('compliance.deletionsTab')}
              area={deletions}
              onOpen={(reportId) => void navigate(`/backup-and-restore/job-monitor/${reportId}`)}
            />
          )
        }
      </WithTenant>
    </Page>
  );
}

function useScanColumns(): readonly Column<Scan>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const progress = (row: Scan): string =>
    text('compliance.progressOf', { done: format.count(row.sitesDone), total: format.count(row.sites) });
  const detail = (row: Scan): string | undefined => (row.code === null ? undefined : codeText(row.code));
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
      id: 'status',
      title: text('common.status'),
      width: 170,
      value: (row) => text(`status.${row.status}`),
      render: (row) => <StatusBadge status={row.status} detail={detail(row)} />,
    },
    {
      id: 'kind',
      title: text('compliance.kind'),
      width: 170,
      value: (row) => text(`compliance.scanKinds.${row.kind}`),
      render: (row) => text(`compliance.scanKinds.${row.kind}`),
    },
    { id: 'progress', title: text('compliance.progress'), width: 180, value: progress, render: progress },
    {
      id: 'processed',
      title: text('compliance.read'),
      isNumber: true,
      width: 140,
      value: (row) => row.processed,
      render: (row) => format.count(row.processed),
    },
    {
      id: 'startedBy',
      title: text('compliance.startedBy'),
      width: 200,
      value: (row) => row.startedBy ?? '',
      render: (row) => row.startedBy ?? '–',
    },
    {
      id: 'startedAt',
      title: text('compliance.started'),
      sort: 'queuedAt',
      width: 150,
      value: (row) => format.iso(row.startedAt ?? row.queuedAt),
      render: (row) => <Moment at={row.startedAt ?? row.queuedAt} />,
    },
    {
      id: 'endedAt',
      title: text('compliance.ended'),
      sort: 'endedAt',
      width: 150,
      value: (row) => format.iso(row.endedAt),
      render: (row) => <Moment at={row.endedAt} />,
    },
  ];
}

function Scans({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const columns = useScanColumns();
  const filters: readonly Filter[] = [
    { id: 'status', label: text('common.status'), choices: scanStatuses.map((value) => ({ value, label: text(`status.${value}`) })) },
    {
      id: 'kind',
      label: text('compliance.kind'),
      choices: scanKinds.map((value) => ({ value, label: text(`compliance.scanKinds.${value}`) })),
    },
  ];
  const page = ({ filters: chosen, search: _search, ...query }: PageQuery) =>
    read(compliance.scans, {
      params: { tenantId },
      query: { ...chosen, ...query } as QueryFor<typeof compliance.scans>,
      quiet: true,
      background: true,
    });
  return (
    <>
      <Row>
        <StartScan tenantId={tenantId} />
      </Row>
      <DataTable
        id="scans"
        label={text('compliance.scansTab')}
        columns={columns}
        filters={filters}
        isSearchable={false}
        source={{ kind: 'pages', page, refetchMs: pollMs }}
        rowKey={(row) => row.reportId}
        rowName={(row) => `${text('compliance.scan')} ${row.reportNumber}`}
        empty={<EmptyState text={text('compliance.noScans')} />}
      />
    </>
  );
}
