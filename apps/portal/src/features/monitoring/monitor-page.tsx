import { jobs } from '@holdfast/contract/jobs';
import { monitoring } from '@holdfast/contract/monitoring';
import type { Run } from '@holdfast/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { useRunColumns, useRunFilters } from './run-columns.tsx';
import { useRunNews } from './run-news.ts';
import { StopRun } from './stop-run.tsx';

const RunPage = lazy(async () => ({ default: (await import('./run-page.tsx')).RunPage }));

const livePollMs = 15_000;
const lostPollMs = 5_000;

/** `/backup-and-restore/job-monitor` */
export default function MonitorPage(): ReactElement {
  return <Monitor base="/backup-and-restore/job-monitor" />;
}

/** `/teams/job-monitor` */
export function TeamsMonitorPage(): ReactElement {
  return <Monitor base="/teams/job-monitor" workload="teams" />;
}

interface MonitorProps {
  readonly base: string;
  readonly workload?: Run['workload'];
}

function Monitor({ base, workload }: MonitorProps): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const { id } = detail;
  if (detail.mode === 'view' && id !== null) {
    return (
      <WithTenant>
        {(tenant) => (
          <Suspense fallback={<LoadingShape rows={6} />}>
            <RunPage tenantId={tenant.tenantId} reportId={id} base={base} />
          </Suspense>
        )}
      </WithTenant>
    );
  }
  return (
    <Page title={text('shell.jobMonitor')} lead={text('monitoring.lead')}>
      <WithTenant>
        {(tenant) => <RunList tenantId={tenant.tenantId} onOpen={detail.view} {...(workload === undefined ? {} : { workload })} />}
      </WithTenant>
    </Page>
  );
}

interface RunListProps {
  readonly tenantId: string;
  readonly workload?: Run['workload'];
  readonly onOpen: (reportId: string) => void;
}

/** Running and recent runs, newest first. */
function RunList({ tenantId, workload, onOpen }: RunListProps): ReactElement {
  const text = useText();
  const live = useStore(usePortal().live);
  const mayRun = useMay('jobs.run');
  const [stopping, setStopping] = useState<Run | null>(null);
  const columns = useRunColumns(mayRun ? setStopping : undefined);
  const news = useRunNews();
  const filters = useRunFilters().filter((filter) => workload === undefined || filter.id !== 'workload');
  const page = ({ filters: chosen, ...query }: PageQuery) => {
    const given = { ...(workload === undefined ? {} : { workload }), ...chosen, ...query };
    return read(monitoring.list, { params: { tenantId }, query: given as never, quiet: true, background: true });
  };
  return (
    <>
      <DataTable
        id="runs"
        label={text('shell.jobMonitor')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page, refetchMs: live === 'connected' ? livePollMs : lostPollMs }}
        rowKey={(run) => run.reportId}
        rowName={(run) => run.jobName}
        news={news}
        onOpen={(run) => onOpen(run.reportId)}
        empty={<NothingRuns tenantId={tenantId} />}
      />
      {stopping !== null && <StopRun tenantId={tenantId} run={stopping} onClose={() => setStopping(null)} />}
    </>
  );
}

/** Nothing runs: what will run next. */
function NothingRuns({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const next = useQuery(read(jobs.list, { params: { tenantId }, query: { limit: 3, sort: 'nextRun' }, quiet: true }));
  const runs = (next.data?.items ?? []).filter((job) => job.nextRun !== null).map((job) => `${job.name} (${format.dateTime(job.nextRun)})`);
  const words =
    runs.length === 0 ? text('monitoring.empty') : `${text('monitoring.empty')} ${text('monitoring.nextRuns', { runs: runs.join(', ') })}`;
  return <EmptyState text={words} />;
}
