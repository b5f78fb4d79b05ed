import { Card, makeStyles, Subtitle1, Text, tokens } from '@fluentui/react-components';
import { CheckmarkCircleRegular, CircleRegular } from '@fluentui/react-icons';
import { dashboard } from '@holdfast/contract/dashboard';
import type { Overview } from '@holdfast/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Row, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { useTenants } from '../tenants/index.ts';
import { FirstBackupCard } from './first-backup-card.tsx';
import { isFirstBackup } from './first-backup.ts';
import { GrowthCard } from './growth-card.tsx';
import { HeatMapCard } from './heat-map-card.tsx';
import { HeroCard } from './hero-card.tsx';
import { NeedsYouCard } from './needs-you-card.tsx';
import { EvidenceCard, NextRunsCard, NotProtectedCard, RecentRunsCard } from './overview-cards.tsx';
import { ReadinessCard } from './readiness-card.tsx';
import { TopMailboxesCard } from './top-mailboxes-card.tsx';

const useStyles = makeStyles({
  // The picture takes more room than the words beside it; below a thousand pixels they follow each other.
  uneven: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 7fr) minmax(0, 5fr)',
    gap: tokens.spacingHorizontalL,
    '@media (max-width: 1023px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
});

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
  const [isFirst, setIsFirst] = useState(false);
  const overview = useQuery({
    ...read(dashboard.overview, { params: { tenantId }, quiet: true, background: true }),
    refetchInterval: isFirst ? 5_000 : 60_000,
  });
  const isFirstNow = overview.data?.workloads.some((figures) => isFirstBackup(figures)) ?? false;
  if (isFirstNow !== isFirst) setIsFirst(isFirstNow);
  if (overview.isPending) return <LoadingShape rows={4} height={128} />;
  if (overview.isError) return <FailedState error={overview.error} onRetry={() => void overview.refetch()} />;
  return <Cards tenantId={tenantId} overview={overview.data} isFirst={isFirst} />;
}

interface CardsProps {
  readonly tenantId: string;
  readonly overview: Overview;
  /** The first backup of a workload runs. */
  readonly isFirst: boolean;
}

function Cards({ tenantId, overview, isFirst }: CardsProps): ReactElement {
  const styles = useStyles();
  // The sentence and what needs somebody come first; the pictures below them follow.
  const isComplete = useAfterPaint();
  const { setUp } = overview;
  return (
    <>
      {!(setUp.locationAdded && setUp.firstBackup) && <SetUpSteps done={setUp} />}
      <div className={styles.uneven}>
        <HeroCard workloads={overview.workloads} />
        <NeedsYouCard tenantId={tenantId} overview={overview} />
      </div>
      {isFirst && <FirstBackupCard runs={overview.recentRuns} />}
      {isComplete && <Pictures {...{ tenantId, overview, isFirst }} />}
    </>
  );
}

function Pictures({ tenantId, overview, isFirst }: CardsProps): ReactElement {
  const styles = useStyles();
  return (
    <>
      <div className={styles.uneven}>
        <HeatMapCard tenantId={tenantId} isLive={isFirst} />
        <Stack>
          <GrowthCard tenantId={tenantId} />
          <ReadinessCard tenantId={tenantId} />
        </Stack>
      </div>
      <Split even>
        <RecentRunsCard runs={overview.recentRuns} />
        <NextRunsCard jobs={overview.nextRuns} />
      </Split>
      <Split even>
        <NotProtectedCard notProtected={overview.notProtected} />
        <EvidenceCard verification={overview.lastVerification} drill={overview.lastDrill} audit={overview.lastAuditVerification} />
      </Split>
      <TopMailboxesCard tenantId={tenantId} />
    </>
  );
}

/** "Connect Microsoft 365 in three steps", with what is done ticked off. */
function SetUpSteps({ done }: { readonly done: Overview['setUp'] }): ReactElement {
  const text = useText();
  const steps = [
    { isDone: done.tenantConnected, label: text('dashboard.stepTenant'), to: '/configuration/connect' },
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
