import { dashboard } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { CardGrid, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import { NextRunsCard } from './overview-cards.tsx';
import { BytesChart, RunsChart } from './run-charts.tsx';
import { useWorkerChecks, WorkerCard } from './worker-card.tsx';
import { WorkloadCard } from './workload-card.tsx';

const newJob = '/backup-and-restore/backup-jobs/new';

/** `/backup-and-restore/dashboard`: the last 30 days of mail, drives and sites. */
export default function BackupDashboardPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('jobs.manage');
  return (
    <Page
      title={text('shell.backupDashboard')}
      lead={text('dashboard.backupLead')}
      commands={
        mayManage && (
          <CommandBar commands={[{ id: 'new', label: text('jobs.newJob'), run: () => void navigate(newJob), isPrimary: true }]} />
        )
      }
    >
      <WithTenant>{(tenant) => <Figures tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function Figures({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('jobs.manage');
  const figures = useQuery(read(dashboard.backup, { params: { tenantId }, quiet: true }));
  // Asked for beside the figures, not after them.
  const checks = useWorkerChecks();
  if (figures.isError) return <FailedState error={figures.error} onRetry={() => void figures.refetch()} />;
  if (figures.data === undefined) return <LoadingShape rows={3} height={128} />;
  const { workloads, nextRuns } = figures.data;
  if (workloads.every(({ runs }) => runs === 0)) {
    return (
      <FirstStep
        text={text('dashboard.noRuns')}
        label={text('dashboard.createJob')}
        may={mayManage}
        onClick={() => void navigate(newJob)}
      />
    );
  }
  return (
    <Stack loose>
      <CardGrid>
        {workloads.map((one) => (
          <WorkloadCard key={one.workload} figures={one} />
        ))}
      </CardGrid>
      <Split even>
        <RunsChart workloads={workloads} />
        <BytesChart workloads={workloads} />
      </Split>
      <Split even>
        <NextRunsCard jobs={nextRuns} />
        <WorkerCard checks={checks} />
      </Split>
    </Stack>
  );
}
