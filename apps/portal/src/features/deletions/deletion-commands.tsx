import { approvals } from '@holdfast/contract/approvals';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import type { Command } from '../../ui/command-bar.tsx';
import type { DeletionStep } from './deletion-dialog.tsx';

interface CommandsOf {
  readonly tenantId: string;
  readonly deletion: DeletionDetails;
  readonly onAsk: (step: DeletionStep) => void;
}

/** What can be done with a deletion depends on how far it has come, and on who looks at it. */
export function useDeletionCommands({ tenantId, deletion, onAsk }: CommandsOf): readonly Command[] {
  const text = useText();
  const preview = useChange(deletions.preview, { success: 'deletions.previewed' });
  const resume = useChange(deletions.resume, { success: 'deletions.resumed' });
  const withdraw = useChange(approvals.withdraw, { success: 'deletions.withdrawn' });
  const { deletionId, state, approval, listed, kept } = deletion;
  const params = { tenantId, deletionId };
  const asks = (id: DeletionStep, isPrimary = false): Command => ({ id, label: text(`deletions.${id}`), run: () => onAsk(id), isPrimary });
  if (state === 'draft') {
    const again: Command = {
      id: 'preview',
      label: text('deletions.preview'),
      run: () => preview.mutate({ params }),
      isDisabled: preview.isPending,
    };
    return [...(listed.messages > kept.messages ? [asks('request', true)] : []), again, asks('remove')];
  }
  if (state === 'waiting' && approval !== null) {
    const { approvalId, mayApprove, mayRefuse, mayWithdraw } = approval;
    const back: Command = {
      id: 'withdraw',
      label: text('deletions.withdraw'),
      run: () => withdraw.mutate({ params: { tenantId, approvalId } }),
      isDisabled: withdraw.isPending,
    };
    return [...(mayApprove ? [asks('approve', true)] : []), ...(mayRefuse ? [asks('reject')] : []), ...(mayWithdraw ? [back] : [])];
  }
  if (state === 'approved' || state === 'running') return [asks('stop')];
  if (state !== 'failed') return [];
  const go: Command = { id: 'resume', label: text('deletions.resume'), run: () => resume.mutate({ params }), isDisabled: resume.isPending };
  return [{ ...go, isPrimary: true }];
}
