import { Field, Textarea } from '@fluentui/react-components';
import { approvals } from '@holdfast/contract/approvals';
import type { Approval } from '@holdfast/contract/approvals';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import type { Command } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { deletionAddress } from '../deletions/index.ts';
import { useApprovalWords } from './approval-words.ts';

type Verb = 'approve' | 'refuse' | 'wait';

export interface ApprovalDetailsProps {
  readonly tenantId: string;
  readonly approval: Approval;
  readonly onClose: () => void;
}

/** One request: what is asked for, by whom, whom it waits for, and what the reader may do. */
export function ApprovalDetails({ tenantId, approval, onClose }: ApprovalDetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useApprovalWords();
  const [asked, setAsked] = useState<Verb | null>(null);
  const withdraw = useChange(approvals.withdraw);
  const params = { tenantId, approvalId: approval.approvalId };
  const commands: readonly Command[] = [
    ...(approval.mayApprove ? [{ id: 'approve', label: text('approvals.approve'), run: () => setAsked('approve'), isPrimary: true }] : []),
    ...(approval.mayRefuse ? [{ id: 'refuse', label: text('approvals.refuse'), run: () => setAsked('refuse') }] : []),
    ...(approval.mayDelay ? [{ id: 'wait', label: text('approvals.wait'), run: () => setAsked('wait'), isPrimary: true }] : []),
    ...(approval.mayWithdraw
      ? [{ id: 'withdraw', label: text('approvals.withdraw'), run: () => withdraw.mutate({ params }), isDisabled: withdraw.isPending }]
      : []),
  ];
  return (
    <DetailDrawer title={approval.subjectName} onClose={onClose}>
      {commands.length > 0 && <CommandBar commands={commands} />}
      <Facts
        items={[
          [text('approvals.kind'), words.sentence(approval)],
          [text('common.status'), text(`approvals.${approval.status}`)],
          ...words.details(approval),
          ...(approval.kind === 'messageDeletion' ? [deletionList(approval.subjectId, text)] : []),
          ...words.obstacle(approval),
          [text('approvals.requester'), approval.requester],
          [text('approvals.requestedAt'), format.dateTime(approval.requestedAt)],
          [text('approvals.waitsFor'), words.waitsFor(approval)],
          [text('approvals.effectiveAt'), format.dateTime(approval.effectiveAt)],
          [text('approvals.lapsesAt'), format.dateTime(approval.lapsesAt)],
          [text('approvals.decided'), format.dateTime(approval.decidedAt)],
          [text('approvals.decider'), approval.decider ?? '–'],
          ...(approval.decisionReason === null ? [] : ([[text('approvals.decisionReason'), approval.decisionReason]] as const)),
          [text('approvals.mode'), approval.mode === null ? '–' : text(`approvals.${approval.mode}`)],
        ]}
      />
      {asked !== null && <DecisionDialog verb={asked} params={params} approval={approval} onClose={() => setAsked(null)} />}
    </DetailDrawer>
  );
}

/** What a deletion of messages would delete: who decides about it reads the list, not a count alone. */
function deletionList(deletionId: string, text: ReturnType<typeof useText>): readonly [string, ReactElement] {
  return [
    text('approvals.deletionList'),
    <RouterLink key="list" to={deletionAddress(deletionId)}>
      {text('approvals.openDeletion')}
    </RouterLink>,
  ];
}

interface DecisionDialogProps {
  readonly verb: Verb;
  readonly params: { readonly tenantId: string; readonly approvalId: string };
  readonly approval: Approval;
  readonly onClose: () => void;
}

const routes = { approve: approvals.approve, wait: approvals.delay } as const;

function DecisionDialog({ verb, params, approval, onClose }: DecisionDialogProps): ReactElement {
  const text = useText();
  const [reason, setReason] = useState('');
  const refuse = useChange(approvals.refuse);
  const decide = useChange(routes[verb === 'refuse' ? 'approve' : verb]);
  const settled = { onSettled: onClose };
  // Most requests come into force at once; deletions of messages wait for a day.
  const isLate = verb === 'approve' && approval.kind === 'messageDeletion';
  return (
    <ConfirmDialog
      title={text(`approvals.${verb}Title`, { name: approval.subjectName })}
      text={text(isLate ? 'deletions.approveText' : `approvals.${verb}Text`)}
      button={text(`approvals.${verb}`)}
      busy={decide.isPending || refuse.isPending}
      onClose={onClose}
      onConfirm={() => (verb === 'refuse' ? refuse.mutate({ params, body: { reason } }, settled) : decide.mutate({ params }, settled))}
    >
      {verb === 'refuse' && (
        <Field label={text('approvals.refuseReason')} hint={text('approvals.refuseReasonHint')}>
          <Textarea value={reason} onChange={(_event, { value }) => setReason(value)} />
        </Field>
      )}
    </ConfirmDialog>
  );
}
