import { Card, Subtitle2 } from '@fluentui/react-components';
import { dashboard } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { Figure } from '../../ui/figure.tsx';
import { CardGrid, Facts, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import { RunsChart } from './run-charts.tsx';
import { WorkloadCard } from './workload-card.tsx';

/** `/teams/dashboard` */
export default function TeamsDashboardPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.dashboard')} lead={text('dashboard.teamsLead')}>
      <WithTenant>{(tenant) => <Figures tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function Figures({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const mayConfigure = useMay('configuration.manage');
  const answer = useQuery(read(dashboard.teams, { params: { tenantId }, quiet: true }));
  if (answer.isPending) return <LoadingShape rows={3} height={128} />;
  if (answer.isError) return <FailedState error={answer.error} onRetry={() => void answer.refetch()} />;
  const figures = answer.data;
  if (figures.runs === 0 && figures.teams === 0) {
    return (
      <FirstStep
        text={text('failures.teamsMissing')}
        label={text('shell.groupConfiguration')}
        may={mayConfigure}
        onClick={() => void navigate('/configuration')}
      />
    );
  }
  const counts = ['teams', 'channels', 'messages', 'files', 'chats'] as const;
  return (
    <Stack loose>
      <CardGrid size="tight">
        {counts.map((name) => (
          <Figure key={name} label={text(`dashboard.${name}`)} value={format.count(figures[name])} />
        ))}
      </CardGrid>
      <Split>
        <WorkloadCard figures={figures} />
        <Card>
          <Subtitle2 as="h2">{text('dashboard.unused')}</Subtitle2>
          <Facts
            items={[
              [text('dashboard.unused30'), format.count(figures.unused.days30)],
              [text('dashboard.unused8'), format.count(figures.unused.weeks8)],
              [text('dashboard.unused6'), format.count(figures.unused.months6)],
            ]}
          />
        </Card>
      </Split>
      <RunsChart workloads={[figures]} />
    </Stack>
  );
}
