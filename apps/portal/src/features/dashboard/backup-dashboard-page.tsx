import { dashboard } from '@holdfast/contract/dashboard';
import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import { jobs } from '@holdfast/contract/jobs';
import { useQueries, useQuery } from '@tanstack/react-query';
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
import { WorkerCard } from './worker-card.tsx';
import { WorkloadCard } from './workload-card.tsx';

const newJob = '/backup-and-restore/backup-jobs/new';

/** `/backup-and-restore/dashboard`: the last 30 days of mail, drives and sites. */
export default function BackupDashboardPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('jobs.manage');
  return (
    <Page
      title={text('shell.dashboard')}
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
  const options = { params: { tenantId }, quiet: true } as const;
  const answers = useQueries({
    queries: [read(dashboard.exchange, options), read(dashboard.onedrive, options), read(dashboard.sharepoint, options)],
  });
  const failed = answers.find((answer) => answer.isError);
  if (failed !== undefined) return <FailedState error={failed.error} onRetry={() => answers.forEach((answer) => void answer.refetch())} />;
  const workloads = answers.flatMap((answer): WorkloadFigures[] => (answer.data === undefined ? [] : [answer.data]));
  if (workloads.length < answers.length) return <LoadingShape rows={3} height={128} />;
  if (workloads.every((figures) => figures.runs === 0)) {
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
        {workloads.map((figures) => (
          <WorkloadCard key={figures.workload} figures={figures} />
        ))}
      </CardGrid>
      <Split even>
        <RunsChart workloads={workloads} />
        <BytesChart workloads={workloads} />
      </Split>
      <Split even>
        <NextRuns tenantId={tenantId} />
        <WorkerCard />
      </Split>
    </Stack>
  );
}

/** As many as the card beside it has lines. */
const shownRuns = 5;

function NextRuns({ tenantId }: { readonly tenantId: string }): ReactElement {
  const query = { type: 'backup', sort: 'nextRun', limit: shownRuns } as const;
  const list = useQuery(read(jobs.list, { params: { tenantId }, query, quiet: true }));
  if (list.isError) return <FailedState error={list.error} onRetry={() => void list.refetch()} />;
  return list.data === undefined ? (
    <LoadingShape rows={3} />
  ) : (
    <NextRunsCard jobs={list.data.items.filter(({ nextRun }) => nextRun !== null)} />
  );
}
