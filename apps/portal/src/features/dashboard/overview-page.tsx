import { Card, Link as FluentLink, Subtitle1, Subtitle2, Text } from '@fluentui/react-components';
import { CheckmarkCircleRegular, CircleRegular } from '@fluentui/react-icons';
import { dashboard } from '@holdfast/contract/dashboard';
import type { Overview } from '@holdfast/contract/dashboard';
import { reportsAddress } from '@holdfast/contract/reporting';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useAttentionName } from '../../i18n/use-attention-name.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { CardGrid, Row, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { useTenants } from '../tenants/index.ts';
import { EvidenceCard, NextRunsCard, NotProtectedCard, RecentRunsCard, StorageCard } from './overview-cards.tsx';
import { isFirstBackup } from './first-backup.ts';
import { RunsChart } from './run-charts.tsx';
import { TopMailboxesCard } from './top-mailboxes-card.tsx';
import { WorkloadCard } from './workload-card.tsx';

/** `/` and `/dashboard`: is everything safe, and what needs attention first? */
export default function OverviewPage(): ReactElement {
  const text = useText();
  const { data, isPending } = useTenants();
  const tenant = data?.items.find((one) => one.active) ?? null;
  return (
    <Page title={text('shell.overview')} lead={text('dashboard.lead')} commands={<Commands />}>
      {isPending && <LoadingShape rows={4} height={64} />}
      {data !== undefined && tenant === null && <SetUpSteps done={{ tenantConnected: false, locationAdded: false, firstBackup: false }} />}
      {tenant !== null && <OverviewOf tenantId={tenant.tenantId} />}
    </Page>
  );
}

function Commands(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayRun = useMay('jobs.manage');
  const mayRestore = useMay('restore.run');
  return (
    <CommandBar
      commands={[
        ...(mayRun
          ? [
              {
                id: 'backup',
                label: text('dashboard.backUpNow'),
                run: () => void navigate('/backup-and-restore/on-demand'),
                isPrimary: true,
              },
            ]
          : []),
        ...(mayRestore
          ? [{ id: 'restore', label: text('dashboard.restore'), run: () => void navigate('/backup-and-restore/restore') }]
          : []),
      ]}
    />
  );
}

function OverviewOf({ tenantId }: { readonly tenantId: string }): ReactElement {
  const overview = useQuery({
    ...read(dashboard.overview, { params: { tenantId }, quiet: true, background: true }),
    refetchInterval: 60_000,
  });
  if (overview.isPending) return <LoadingShape rows={4} height={128} />;
  if (overview.isError) return <FailedState error={overview.error} onRetry={() => void overview.refetch()} />;
  return <Loaded tenantId={tenantId} overview={overview.data} />;
}

function Loaded({ tenantId, overview }: { readonly tenantId: string; readonly overview: Overview }): ReactElement {
  const { setUp } = overview;
  const isSetUp = setUp.tenantConnected && setUp.locationAdded && setUp.firstBackup;
  const isComplete = useAfterPaint();
  return (
    <Stack loose>
      {!isSetUp && <SetUpSteps done={setUp} />}
      <Attention overview={overview} />
      <CardGrid size="four">
        {overview.workloads.map((figures) => (
          <WorkloadCard key={figures.workload} figures={figures} />
        ))}
      </CardGrid>
      {isComplete && <FurtherDown tenantId={tenantId} overview={overview} />}
    </Stack>
  );
}

/** What explains the figures above it. */
function FurtherDown({ tenantId, overview }: { readonly tenantId: string; readonly overview: Overview }): ReactElement {
  return (
    <>
      <Split even>
        <RunsChart workloads={overview.workloads} />
        <StorageCard storage={overview.storage} />
      </Split>
      <Split even>
        <NotProtectedCard notProtected={overview.notProtected} />
        <EvidenceCard verification={overview.lastVerification} drill={overview.lastDrill} audit={overview.lastAuditVerification} />
      </Split>
      <Split even>
        <RecentRunsCard runs={overview.recentRuns} />
        <NextRunsCard jobs={overview.nextRuns} />
      </Split>
      <TopMailboxesCard tenantId={tenantId} />
    </>
  );
}

/** "Connect Microsoft 365 in three steps", with what is done ticked off. */
function SetUpSteps({ done }: { readonly done: Overview['setUp'] }): ReactElement {
  const text = useText();
  const steps = [
    { isDone: done.tenantConnected, label: text('dashboard.stepTenant'), to: '/configuration/tenants/new' },
    { isDone: done.locationAdded, label: text('dashboard.stepLocation'), to: '/configuration/locations/new' },
    { isDone: done.firstBackup, label: text('dashboard.stepBackup'), to: '/backup-and-restore/backup-jobs/new' },
  ];
  return (
    <Card>
      <Subtitle1 as="h2">{text('dashboard.setUp')}</Subtitle1>
      <ol>
        {steps.map((step) => (
          <li key={step.to}>
            <Row>
              {step.isDone ? (
                <CheckmarkCircleRegular aria-label={text('kit.stepDone')} />
              ) : (
                <CircleRegular aria-label={text('kit.stepOpen')} />
              )}
              {step.isDone ? <Text>{step.label}</Text> : <RouterLink to={step.to}>{step.label}</RouterLink>}
            </Row>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Attention({ overview }: { readonly overview: Overview }): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const navigate = useNavigate();
  const shown = 6;
  const [isWhole, setIsWhole] = useState(false);
  const rest = overview.attention.length - shown;
  const nameOf = useAttentionName();
  const unprotectedOf = (isFirst: boolean): number =>
    overview.workloads.filter((figures) => isFirstBackup(figures) === isFirst).reduce((sum, figures) => sum + figures.unprotected, 0);
  const unprotected = unprotectedOf(false);
  const inFirstBackup = unprotectedOf(true);
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.attention')}</Subtitle2>
      {overview.attention.length + unprotected + inFirstBackup === 0 && (
        <Row>
          <StatusBadge status="protected" />
          <Text>{text('dashboard.allGood')}</Text>
        </Row>
      )}
      {overview.attention.slice(0, isWhole ? undefined : shown).map((entry) => (
        <Row key={`${entry.kind} ${entry.code} ${entry.name}`}>
          <FluentLink as="button" onClick={() => void navigate(entry.link)}>
            {nameOf(entry)}
          </FluentLink>
          <Text>{codeText(entry.code)}</Text>
        </Row>
      ))}
      {inFirstBackup > 0 && (
        <Row>
          <StatusBadge status="running" detail={text('dashboard.firstBackup')} />
          <Text>{text('dashboard.firstBackupStill', { count: format.count(inFirstBackup) })}</Text>
          <Text>{text('dashboard.firstBackupAdvice')}</Text>
        </Row>
      )}
      {unprotected > 0 && (
        <Row>
          <RouterLink to={`${reportsAddress('coverage')}&state=unprotected`}>
            {text('dashboard.unprotected', { count: format.count(unprotected) })}
          </RouterLink>
          <Text>{text('dashboard.unprotectedAdvice')}</Text>
        </Row>
      )}
      {rest > 0 && !isWhole && (
        <FluentLink as="button" onClick={() => setIsWhole(true)}>
          {text('dashboard.showAll', { count: format.count(overview.attention.length) })}
        </FluentLink>
      )}
    </Card>
  );
}
