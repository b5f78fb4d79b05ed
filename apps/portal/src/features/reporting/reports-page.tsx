import { reporting, reportTabs } from '@holdfast/contract/reporting';
import type { Run } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { useRunColumns } from '../monitoring/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { CoverageReport } from './coverage-report.tsx';
import { EvidenceReport } from './evidence-report.tsx';
import { MonthlyReports } from './monthly-reports.tsx';
import { ReportAccounts } from './report-accounts.tsx';

/** `/backup-and-restore/reports` */
export default function ReportsPage(): ReactElement {
  return <Reports base="/backup-and-restore/reports" />;
}

/** `/teams/reporting` */
export function TeamsReportsPage(): ReactElement {
  return <Reports base="/teams/reporting" workload="teams" />;
}

interface ReportsProps {
  readonly base: string;
  readonly workload?: Run['workload'];
}

function Reports({ base, workload }: ReportsProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const detail = useDetail(base);
  const [params] = useSearchParams();
  const tab = reportTabs.find((name) => name === params.get('tab')) ?? 'runs';
  const shownTabs = workload === undefined ? reportTabs : reportTabs.filter((name) => name === 'runs' || name === 'coverage');
  const print = { id: 'print', label: text('common.print'), run: () => globalThis.print() };
  return (
    <Page title={text('shell.reports')} lead={text('reports.lead')} commands={<CommandBar commands={[print]} />}>
      <Tabs
        names={shownTabs}
        selected={tab}
        word={(name) => text(`reports.${name}Tab`)}
        onSelect={(name) => void navigate(`${base}?tab=${name}`)}
      />
      <WithTenant>
        {(tenant) => (
          <>
            {tab === 'runs' && <RunReports tenantId={tenant.tenantId} workload={workload ?? null} onOpen={detail.view} />}
            {tab === 'monthly' && <MonthlyReports tenantId={tenant.tenantId} onOpen={detail.view} />}
            {tab === 'coverage' && <CoverageReport tenantId={tenant.tenantId} workload={workload ?? null} />}
            {tab === 'evidence' && <EvidenceReport tenantId={tenant.tenantId} />}
            {detail.id !== null && (
              <ReportAccounts tenantId={tenant.tenantId} reportId={detail.id} isOfMonth={tab === 'monthly'} onClose={detail.close} />
            )}
          </>
        )}
      </WithTenant>
    </Page>
  );
}

interface RunReportsProps {
  readonly tenantId: string;
  readonly workload: Run['workload'] | null;
  readonly onOpen: (reportId: string) => void;
}

function RunReports({ tenantId, workload, onOpen }: RunReportsProps): ReactElement {
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
  const statuses = ['successful', 'defective', 'failed', 'cancelled', 'skipped'] as const;
  const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
  const byWorkload: Filter = {
    id: 'workload',
    label: text('common.workload'),
    choices: workloads.map((value) => ({ value, label: text(`common.${value}`) })),
  };
  const filters: readonly Filter[] = [
    ...(workload === null ? [byWorkload] : []),
    { id: 'status', label: text('common.status'), choices: statuses.map((value) => ({ value, label: text(`status.${value}`) })) },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(reporting.runs, {
      params: { tenantId },
      query: { ...(workload === null ? {} : { workload }), ...chosen, ...query } as never,
      quiet: true,
    });
  return (
    <DataTable
      id="run-reports"
      label={text('shell.reports')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page }}
      rowKey={(run) => run.reportId}
      rowName={(run) => run.jobName}
      onOpen={(run) => onOpen(run.reportId)}
      empty={<EmptyState text={text('reports.empty')} />}
    />
  );
}
