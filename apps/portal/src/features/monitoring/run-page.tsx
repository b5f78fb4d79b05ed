import { isUnderWay } from '@holdfast/contract/run-status';
import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { restoringTypes, traitsOf } from '@holdfast/contract/jobs';
import type { RunDetails } from '@holdfast/contract/monitoring';
import { printedReports } from '@holdfast/contract/printed-reports';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useDownload } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DownloadBar } from './download-bar.tsx';
import { useRun } from './monitoring.queries.ts';
import { RunAccounts } from './run-accounts.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunNews } from './run-news-region.tsx';
import { RunProblems } from './run-problems.tsx';
import { RunReport } from './run-report.tsx';
import { StopRun, useMayStop } from './stop-run.tsx';
import { UndoRestore, UndoState, useUndoPlan } from './undo-restore.tsx';

export interface RunPageProps {
  readonly tenantId: string;
  readonly reportId: string;
  /** The monitor it was opened from. */
  readonly base: string;
}

/** One run, with an address to share: live while it goes on, its report afterwards. */
export function RunPage({ tenantId, reportId, base }: RunPageProps): ReactElement {
  const text = useText();
  const run = useRun(tenantId, reportId);
  const title =
    run.data === undefined
      ? text('shell.jobMonitor')
      : text('monitoring.runTitle', { job: run.data.jobName, number: run.data.reportNumber });
  return (
    <Page
      title={title}
      crumbs={[{ label: text('shell.jobMonitor'), to: base }]}
      commands={run.data !== undefined && <Commands tenantId={tenantId} run={run.data} />}
    >
      {run.isPending && <LoadingShape rows={6} />}
      {run.isError && run.data === undefined && <FailedState error={run.error} onRetry={() => void run.refetch()} />}
      <RunNews run={run.data} />
      {run.data !== undefined && <RunContent tenantId={tenantId} run={run.data} base={base} />}
    </Page>
  );
}

function Commands({ tenantId, run }: { readonly tenantId: string; readonly run: RunDetails }): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const mayStop = useMayStop(run);
  const [stopping, setStopping] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const { data: plan } = useUndoPlan({ tenantId, run });
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const download = useDownload(printedReports.run);
  const print = (): void => download.mutate({ params: { tenantId, reportId: run.reportId }, query: { language } });
  const copy = async (): Promise<void> => {
    if (await copyText(globalThis.location.href)) toasts.show('success', text('successes.copied'));
  };
  const commands: readonly Command[] = [
    ...(mayStop
      ? [{ id: 'stop', label: text('jobs.stop'), run: () => setStopping(true), isPrimary: true, isDisabled: run.status === 'cancelling' }]
      : []),
    ...(plan && plan.refusal !== 'undo.not-a-restore'
      ? [{ id: 'undo', label: text('restore.undo.command'), run: () => setUndoing(true), isDisabled: plan.refusal !== null }]
      : []),
    // Of a backup the restore points are the proof; of what it did once there is a report to keep.
    ...(run.endedAt === null || traitsOf(run.type).protects === true
      ? []
      : [{ id: 'pdf', label: text('periodReports.downloadPdf'), run: print }]),
    { id: 'copy', label: text('monitoring.copyLink'), run: () => void copy() },
    { id: 'print', label: text('common.print'), run: () => globalThis.print() },
  ];
  return (
    <>
      <CommandBar commands={commands} />
      {stopping && <StopRun tenantId={tenantId} run={run} onClose={() => setStopping(false)} />}
      {undoing && plan && <UndoRestore tenantId={tenantId} run={run} plan={plan} onClose={() => setUndoing(false)} />}
    </>
  );
}

type TabName = 'accounts' | 'problems' | 'report';

function RunContent({ tenantId, run, base }: { readonly tenantId: string; readonly run: RunDetails; readonly base: string }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  const format = useFormat();
  const isRestore = restoringTypes.includes(run.type) || traitsOf(run.type).undoes === true;
  const [tab, setTab] = useState<TabName>(isRestore ? 'report' : run.errors > 0 ? 'problems' : 'accounts');
  // What a restore could not put back stands in its report, line by line.
  const tabs: readonly TabName[] = isRestore ? ['report', 'accounts'] : ['accounts', 'problems'];
  const { reportId } = run;
  return (
    <>
      {run.code !== null && (
        <MessageBar intent={run.status === 'failed' ? 'error' : 'warning'} layout="multiline">
          <MessageBarBody>{text('monitoring.whole', { cause: codeText(run.code) })}</MessageBarBody>
        </MessageBar>
      )}
      {run.download && <DownloadBar tenantId={tenantId} reportId={reportId} />}
      <RunFacts run={run} />
      <UndoState tenantId={tenantId} run={run} base={base} />
      <Tabs
        names={tabs}
        selected={tab}
        word={(name) => (name === 'problems' ? `${text('monitoring.problems')} (${format.count(run.errors)})` : text(`monitoring.${name}`))}
        onSelect={setTab}
      />
      {tab === 'accounts' && <RunAccounts tenantId={tenantId} reportId={reportId} type={run.type} isLive={isUnderWay(run)} />}
      {tab === 'problems' && <RunProblems tenantId={tenantId} reportId={reportId} />}
      {tab === 'report' && <RunReport tenantId={tenantId} reportId={reportId} />}
    </>
  );
}
