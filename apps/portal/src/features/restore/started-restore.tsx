import { Subtitle2, Text } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { RunNews, RunProgress, RunReport, useRun } from '../monitoring/index.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const pollMs = 1_000;

/** A restore that was started: waits for its run, then shows progress and report. */
export function StartedRestore({ tenantId, jobId }: { readonly tenantId: string; readonly jobId: string }): ReactElement {
  const text = useText();
  const job = useQuery({
    ...read(jobs.get, { params: { tenantId, jobId }, quiet: true, background: true }),
    refetchInterval: (query) => (query.state.data === undefined || query.state.data.lastRun === null ? pollMs : false),
  });
  if (job.isError && job.data === undefined) return <FailedState error={job.error} onRetry={() => void job.refetch()} />;
  const runId = job.data?.lastRun?.runId;
  if (runId === undefined) return <Text role="status">{text('restore.starting')}</Text>;
  return <Watch tenantId={tenantId} runId={runId} />;
}

function Watch({ tenantId, runId }: { readonly tenantId: string; readonly runId: string }): ReactElement {
  const text = useText();
  const run = useRun(tenantId, runId);
  if (run.data === undefined) return <LoadingShape rows={4} />;
  return (
    <Stack>
      <Subtitle2 as="h2">{run.data.jobName}</Subtitle2>
      <StatusBadge status={run.data.status} />
      <RunNews run={run.data} />
      <Facts items={[[text('monitoring.processed'), <RunProgress key="progress" run={run.data} />]]} />
      <RouterLink to={`/backup-and-restore/job-monitor/${runId}`}>{text('jobs.openRun')}</RouterLink>
      <RunReport tenantId={tenantId} reportId={runId} />
    </Stack>
  );
}
