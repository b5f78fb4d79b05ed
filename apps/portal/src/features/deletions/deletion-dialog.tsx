import { approvals } from '@holdfast/contract/approvals';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Steps that are asked about before they are taken. */
export type DeletionStep = 'request' | 'approve' | 'reject' | 'stop' | 'remove';

interface DeletionDialogProps {
  readonly step: Exclude<DeletionStep, 'reject'>;
  readonly tenantId: string;
  readonly deletion: DeletionDetails;
  readonly onClose: () => void;
  /** There is nothing to look at any longer. */
  readonly onGone: () => void;
}

/** Asks before a deletion goes a step further. */
export function DeletionDialog({ step, tenantId, deletion, onClose, onGone }: DeletionDialogProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { deletionId, state, policyId, listed, kept, approval } = deletion;
  const request = useChange(deletions.request, { success: 'deletions.requested' });
  const approve = useChange(approvals.approve, { success: 'deletions.approved' });
  const stop = useChange(deletions.stop, { success: 'deletions.stopped' });
  const remove = useChange(deletions.remove, { success: 'deletions.removed' });
  const params = { tenantId, deletionId };
  const settled = { onSettled: onClose };
  const steps = {
    request: () => request.mutate({ params }, settled),
    approve: () => approve.mutate({ params: { tenantId, approvalId: approval?.approvalId ?? '' } }, settled),
    stop: () => stop.mutate({ params }, settled),
    remove: () => remove.mutate({ params }, { onSuccess: onGone }),
  };
  const stopping = state === 'running' ? 'stopRunning' : policyId === null ? 'stop' : 'stopPolicy';
  const said = text(`deletions.${step === 'stop' ? stopping : step}Text`);
  return (
    <ConfirmDialog
      title={text(`deletions.${step}Title`, { messages: format.count(listed.messages - kept.messages) })}
      text={said}
      button={text(`deletions.${step}`)}
      destructive={step === 'approve' || step === 'remove'}
      busy={[request, approve, stop, remove].some(({ isPending }) => isPending)}
      onConfirm={steps[step]}
      onClose={onClose}
    />
  );
}
