import { isUnderWay } from '@holdfast/contract/run-status';
import { jobs, traitsOf } from '@holdfast/contract/jobs';
import type { Job } from '@holdfast/contract/jobs';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Command } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export type JobVerb = 'start' | 'stop' | 'remove';

/** What the reader may do with a job now; what the role does not allow is absent. */
export function useJobCommands(
  job: Job,
  actions: { readonly onAsk: (verb: JobVerb) => void; readonly onEdit: () => void },
): readonly Command[] {
  const text = useText();
  const { actions: needed } = traitsOf(job.type);
  const mayRun = useMay(needed.run);
  const mayManage = useMay(needed.manage);
  const running = isUnderWay(job);
  const again = text(job.lastRun === null ? 'jobs.start' : 'jobs.startAgain');
  const run: Command = running
    ? { id: 'stop', label: text('jobs.stop'), run: () => actions.onAsk('stop'), isDisabled: job.status === 'cancelling' }
    : { id: 'start', label: again, run: () => actions.onAsk('start') };
  const manage: readonly Command[] = [
    // The steps ask for sources and a schedule: a restore has neither, nor has an import.
    ...(job.type === 'restore' || 'import' in job ? [] : [{ id: 'edit', label: text('common.edit'), run: actions.onEdit }]),
    { id: 'remove', label: text('common.remove'), run: () => actions.onAsk('remove'), isDisabled: running },
  ];
  return [...(mayRun ? [run] : []), ...(mayManage ? manage : [])];
}

export interface JobDialogProps {
  readonly tenantId: string;
  readonly job: Job;
  readonly verb: JobVerb;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a job is started, stopped or removed. */
export function JobDialog(props: JobDialogProps): ReactElement {
  switch (props.verb) {
    case 'start':
      return <StartDialog {...props} />;
    case 'stop':
      return <StopDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
  }
}

/** What starting the job will do: of a deletion what it takes, else when it begins. */
function useStartText({ type, lastRun }: Job): string {
  const text = useText();
  const format = useFormat();
  if (type === 'deletion') return text('confirmations.startDeletionText');
  const ranAt = lastRun?.endedAt ?? lastRun?.startedAt;
  return ranAt ? text('confirmations.startAgainText', { date: format.dateTime(ranAt) }) : text('confirmations.startJobText');
}

function StartDialog({ tenantId, job, onDone, onClose }: JobDialogProps): ReactElement {
  const text = useText();
  const start = useChange(jobs.start, { success: 'successes.jobStarting', failure: 'failures.startJob' });
  const { name, lastRun } = job;
  const isAgain = lastRun !== null;
  return (
    <ConfirmDialog
      title={text(isAgain ? 'confirmations.startAgainTitle' : 'confirmations.startJobTitle', { name })}
      text={useStartText(job)}
      button={text(isAgain ? 'confirmations.startAgainButton' : 'confirmations.startJobButton')}
      {...(job.type === 'deletion' ? { typeName: name } : {})}
      busy={start.isPending}
      onClose={onClose}
      onConfirm={() => start.mutate({ params: { tenantId, jobId: job.jobId } }, { onSuccess: onDone, onError: onClose })}
    />
  );
}

export interface StopDialogProps {
  readonly tenantId: string;
  readonly job: Pick<Job, 'jobId' | 'name'>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a running job is cancelled. */
export function StopDialog({ tenantId, job, onDone, onClose }: StopDialogProps): ReactElement {
  const text = useText();
  const stop = useChange(jobs.stop, { success: 'successes.jobCancelling', failure: 'failures.stopJob' });
  return (
    <ConfirmDialog
      title={text('confirmations.stopTitle', { name: job.name })}
      text={text('confirmations.stopText')}
      button={text('confirmations.stopButton')}
      cancel={text('confirmations.stopKeep')}
      destructive
      busy={stop.isPending}
      onClose={onClose}
      onConfirm={() => stop.mutate({ params: { tenantId, jobId: job.jobId } }, { onSuccess: onDone, onError: onClose })}
    />
  );
}

function RemoveDialog({ tenantId, job, onDone, onClose }: JobDialogProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const count = job.restorePoints;
  const remove = useChange(jobs.remove, { success: 'successes.jobDeleted', failure: 'failures.deleteJob' });
  return (
    <ConfirmDialog
      title={text('confirmations.removeTitle', { name: job.name })}
      text={count === 0 ? text('confirmations.removeTextAlone') : text('confirmations.removeText', { count, points: format.count(count) })}
      button={text('confirmations.removeButton')}
      destructive
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { tenantId, jobId: job.jobId } }, { onSuccess: onDone, onError: onClose })}
    />
  );
}
