import { Card, Subtitle2, Text } from '@fluentui/react-components';
import { dashboard, unusedFor } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { Figure } from '../../ui/figure.tsx';
import { CardGrid, Row, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { RunsChart } from './run-charts.tsx';
import { TeamList, unusedNames } from './team-list.tsx';
import { WorkloadCard } from './workload-card.tsx';

/** `/teams/dashboard` */
export default function TeamsDashboardPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.teamsDashboard')} lead={text('dashboard.teamsLead')}>
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
  if (answer.isError) return <FailedState error={answer.error} title={text('failures.teams')} onRetry={() => void answer.refetch()} />;
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
      <Split even>
        <WorkloadCard figures={figures} />
        <RunsChart workloads={[figures]} />
      </Split>
      <Card>
        <Subtitle2 as="h2">{text('dashboard.unused')}</Subtitle2>
        <Row>
          {unusedFor.map((time) => (
            <Row key={time}>
              <RouterLink to={`/teams/dashboard?unused=${time}`}>{text(unusedNames[time])}</RouterLink>
              <Text>{format.count(figures.unused[time])}</Text>
            </Row>
          ))}
        </Row>
      </Card>
      <TeamList tenantId={tenantId} />
    </Stack>
  );
}
