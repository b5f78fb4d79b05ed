import { isUnderWay } from '@holdfast/contract/run-status';
import { Card, MessageBar, MessageBarBody, Subtitle2 } from '@fluentui/react-components';
import { archive } from '@holdfast/contract/archive';
import { byteUnit } from '@holdfast/paper/charts';
import type { ArchiveFigures } from '@holdfast/contract/archive';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import { FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { Figure } from '../../ui/figure.tsx';
import { CardGrid, Facts, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { RankedBars } from '../../ui/ranked-bars.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { deletionAddress } from '../deletions/index.ts';
import { WithTenant } from '../tenants/index.ts';

const colours = { complete: 'success', partly: 'warning', none: 'danger' } as const;

/** `/archive/dashboard`: what the archive holds, and what the last 30 days brought. */
export default function ArchiveDashboardPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.archiveDashboard')} lead={text('archive.dashboardLead')}>
      <WithTenant>{({ tenantId }) => <Figures tenantId={tenantId} />}</WithTenant>
    </Page>
  );
}

function Figures({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('jobs.manage');
  const figures = useQuery(read(archive.dashboard, { params: { tenantId }, quiet: true }));
  if (figures.isError) return <FailedState error={figures.error} onRetry={() => void figures.refetch()} />;
  if (figures.data === undefined) return <LoadingShape rows={3} height={128} />;
  const { mailboxes, lastRun, receiverSilentSince } = figures.data;
  if (mailboxes === 0) {
    const firstStep = (
      <FirstStep
        text={text('archive.empty')}
        label={text('archive.createJob')}
        may={mayManage}
        onClick={() => void navigate('/archive/jobs/new')}
      />
    );
    return (
      <>
        <Silence since={receiverSilentSince} />
        {lastRun === null ? firstStep : <NothingYet run={lastRun} />}
      </>
    );
  }
  return (
    <Stack loose>
      <Silence since={receiverSilentSince} />
      <Numbers figures={figures.data} />
      <Growth days={figures.data.growth} />
      <Split even>
        <Coverage figures={figures.data} />
        <Largest top={figures.data.top} />
      </Split>
    </Stack>
  );
}

/** The alarm of a journal receiver that has had no mail for longer than it allows. */
function Silence({ since }: { readonly since: string | null }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  if (since === null) return null;
  return (
    <MessageBar intent="error" layout="multiline">
      <MessageBarBody>
        {text('archive.journalSilent', { since: format.dateTime(since) })} {text('receivers.silentHelp')}{' '}
        <RouterLink to="/archive/jobs">{text('archive.showReceiver')}</RouterLink>
      </MessageBarBody>
    </MessageBar>
  );
}

/** Nothing is archived, but a job has begun with it, or has failed to. */
function NothingYet({ run }: { readonly run: NonNullable<ArchiveFigures['lastRun']> }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const words = isUnderWay(run) ? 'archive.firstRun' : 'archive.nothingArchived';
  return (
    <FirstStep
      text={text(words, { name: run.jobName })}
      label={text('archive.showRun')}
      may
      onClick={() => void navigate(`/archive/job-monitor/${run.reportId}`)}
    />
  );
}

function Numbers({ figures }: { readonly figures: ArchiveFigures }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { messages, attachments, bytes, storedBytes, archived, failed, held, mailboxes } = figures;
  return (
    <CardGrid size="four">
      <Figure
        label={text('dashboard.messages')}
        value={format.count(messages)}
        hint={`${text('dashboard.attachments')}: ${format.count(attachments)}`}
      />
      <Figure
        label={text('archive.size')}
        value={format.bytes(bytes)}
        hint={`${text('archive.storedBytes')}: ${format.bytes(storedBytes)}`}
      />
      <Figure label={text('archive.archived')} value={format.count(archived)} hint={`${text('archive.failed')}: ${format.count(failed)}`} />
      <Figure
        label={text('archive.heldMailboxes')}
        value={format.count(held)}
        hint={`${text('shell.mailboxes')}: ${format.count(mailboxes)}`}
      />
    </CardGrid>
  );
}

function Growth({ days }: { readonly days: ArchiveFigures['growth'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const label = (date: string): string => format.calendarDay(date);
  return (
    <Split even>
      <Chart
        title={text('archive.messagesByDay')}
        series={[{ name: text('dashboard.messages'), colour: 'brand' }]}
        points={days.map(({ date, messages }) => ({ label: label(date), values: [messages] }))}
        format={(value) => format.count(value)}
      />
      <Chart
        title={text('archive.bytesByDay')}
        series={[{ name: text('archive.size'), colour: 'brand' }]}
        points={days.map(({ date, bytes }) => ({ label: label(date), values: [bytes] }))}
        format={(value) => format.bytes(value)}
        unit={byteUnit}
      />
    </Split>
  );
}

/** How far the archive reaches, and how its last run went. */
function Coverage({ figures }: { readonly figures: ArchiveFigures }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { coverage, due, lastRun, lastSuccessAt, lastSweepAt } = figures;
  return (
    <Card>
      <Subtitle2 as="h2">{text('archive.coverageTitle')}</Subtitle2>
      <ShareBar
        shares={(['complete', 'partly', 'none'] as const).map((name) => ({
          name: text(`archive.coverages.${name}`),
          value: coverage[name],
          words: format.count(coverage[name]),
          colour: colours[name],
        }))}
      />
      <Facts
        items={[
          [
            text('jobs.lastRun'),
            lastRun === null ? (
              '–'
            ) : (
              <RouterLink key="run" to={`/archive/job-monitor/${lastRun.reportId}`}>
                {lastRun.jobName}
              </RouterLink>
            ),
          ],
          ...(lastRun === null ? [] : [[text('common.status'), <StatusBadge key="status" status={lastRun.status} />] as const]),
          [text('dashboard.lastSuccess'), <Moment key="success" at={lastSuccessAt} />],
          [text('archive.lastSweep'), <Moment key="sweep" at={lastSweepAt} />],
          ...(due === 0
            ? []
            : [
                [
                  text('archive.due'),
                  <RouterLink key="due" to={deletionAddress()}>
                    {text('archive.messagesFound', { count: due, shown: format.count(due) })}
                  </RouterLink>,
                ] as const,
              ]),
        ]}
      />
    </Card>
  );
}

function Largest({ top }: { readonly top: ArchiveFigures['top'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.topMailboxes')}</Subtitle2>
      <RankedBars
        label={text('dashboard.topMailboxes')}
        bars={top.map(({ mailboxId, name, size }) => ({
          id: mailboxId,
          name: <RouterLink to={`/archive/mailboxes/${mailboxId}`}>{name}</RouterLink>,
          value: size,
          words: format.bytes(size),
        }))}
      />
      <RouterLink to="/archive/mailboxes">{text('archive.allMailboxes')}</RouterLink>
    </Card>
  );
}
