import { approvals } from '@holdfast/contract/approvals';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import { printedReports } from '@holdfast/contract/printed-reports';
import { useChange, useDownload } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Command } from '../../ui/command-bar.tsx';
import type { DeletionStep } from './deletion-dialog.tsx';

interface CommandsOf {
  readonly tenantId: string;
  readonly deletion: DeletionDetails;
  readonly onAsk: (step: DeletionStep) => void;
}

/** Steps that are asked about before they are taken. */
function useAsking(onAsk: CommandsOf['onAsk']) {
  const text = useText();
  return (id: DeletionStep, isPrimary = false): Command => ({ id, label: text(`deletions.${id}`), run: () => onAsk(id), isPrimary });
}

/** What can be done with a draft. */
function useDraftCommands({ tenantId, deletion, onAsk }: CommandsOf): readonly Command[] {
  const text = useText();
  const asks = useAsking(onAsk);
  const preview = useChange(deletions.preview, { success: 'deletions.previewed' });
  const { deletionId, listed, kept } = deletion;
  const again: Command = {
    id: 'preview',
    label: text('deletions.preview'),
    run: () => preview.mutate({ params: { tenantId, deletionId } }),
    isDisabled: preview.isPending,
  };
  return [...(listed.messages > kept.messages ? [asks('request', true)] : []), again, asks('remove')];
}

/** What the two people can do while a request waits. */
function useWaitingCommands({ tenantId, deletion: { approval }, onAsk }: CommandsOf): readonly Command[] {
  const text = useText();
  const asks = useAsking(onAsk);
  const withdraw = useChange(approvals.withdraw, { success: 'deletions.withdrawn' });
  if (approval === null) return [];
  const { approvalId, mayApprove, mayRefuse, mayWithdraw } = approval;
  const back: Command = {
    id: 'withdraw',
    label: text('deletions.withdraw'),
    run: () => withdraw.mutate({ params: { tenantId, approvalId } }),
    isDisabled: withdraw.isPending,
  };
  return [...(mayApprove ? [asks('approve', true)] : []), ...(mayRefuse ? [asks('reject')] : []), ...(mayWithdraw ? [back] : [])];
}

/** What can be done after the run. */
function useEndedCommands({ tenantId, deletion: { deletionId, runId, person } }: CommandsOf) {
  const text = useText();
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const resume = useChange(deletions.resume, { success: 'deletions.resumed' });
  const print = useDownload(printedReports.run);
  const write = useDownload(printedReports.erasureLetter);
  const again: Command = {
    id: 'resume',
    label: text('deletions.resume'),
    run: () => resume.mutate({ params: { tenantId, deletionId } }),
    isDisabled: resume.isPending,
    isPrimary: true,
  };
  const certificate: Command = {
    id: 'certificate',
    label: text('deletions.certificate'),
    run: () => print.mutate({ params: { tenantId, reportId: runId ?? '' }, query: { language } }),
    isDisabled: print.isPending,
  };
  const letter: Command = {
    id: 'letter',
    label: text('deletions.letter'),
    run: () => write.mutate({ params: { tenantId, deletionId }, query: { language } }),
    isDisabled: write.isPending,
    isPrimary: true,
  };
  return { failed: [again], finished: [...(person === null ? [] : [letter]), ...(runId === null ? [] : [certificate])] };
}

/** What can be done with a deletion depends on how far it has come, and on who looks at it. */
export function useDeletionCommands(of: CommandsOf): readonly Command[] {
  const stop = [useAsking(of.onAsk)('stop')];
  const commands = {
    draft: useDraftCommands(of),
    waiting: useWaitingCommands(of),
    approved: stop,
    rejected: [],
    running: stop,
    ...useEndedCommands(of),
  };
  return commands[of.deletion.state];
}
