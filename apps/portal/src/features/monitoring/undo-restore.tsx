import { Field, Text, Textarea } from '@fluentui/react-components';
import { restoringTypes } from '@holdfast/contract/jobs';
import type { RunDetails } from '@holdfast/contract/monitoring';
import { undo, type UndoPlan } from '@holdfast/contract/undo';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Facts } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';

export interface UndoRestoreProps {
  readonly tenantId: string;
  readonly run: Pick<RunDetails, 'reportId' | 'jobName' | 'type' | 'endedAt'>;
}

/** What undoing a run would do, asked of restores that have ended. */
export function useUndoPlan({ tenantId, run }: UndoRestoreProps): UseQueryResult<UndoPlan> {
  const mayRestore = useMay('restore.run');
  return useQuery({
    ...read(undo.plan, { params: { tenantId, reportId: run.reportId }, quiet: true, background: true }),
    enabled: mayRestore && run.endedAt !== null && restoringTypes.includes(run.type),
  });
}

/** Until when a restore can be undone, why it cannot be, and what came of it when it was. */
export function UndoState({ tenantId, run, base }: UndoRestoreProps & { readonly base: string }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { data: plan } = useUndoPlan({ tenantId, run });
  if (!plan || plan.refusal === 'undo.not-a-restore') return null;
  const { refusal, until, last } = plan;
  return (
    <Text>
      {last?.endedAt && `${text('restore.undo.last', { date: format.dateTime(last.endedAt) })} `}
      {refusal === null ? until !== null && text('restore.undo.until', { date: format.dateTime(until) }) : codeText(refusal)}{' '}
      {last && <RouterLink to={`${base}/${last.reportId}`}>{text('restore.undo.openLast')}</RouterLink>}
    </Text>
  );
}

/** Shows what undoing a restore would do, and asks why, before it starts. */
export function UndoRestore({
  tenantId,
  run,
  plan,
  onClose,
}: UndoRestoreProps & { readonly plan: UndoPlan; readonly onClose: () => void }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [reason, setReason] = useState('');
  const start = useChange(undo.start, { success: 'successes.undoStarted' });
  const { toRemove, toPutBack, notKept, stays } = plan;
  const params = { tenantId, reportId: run.reportId };
  return (
    <ConfirmDialog
      title={text('restore.undo.title', { name: run.jobName })}
      text={text('restore.undo.text')}
      button={text('restore.undo.button')}
      cancel={text('restore.undo.cancel')}
      destructive
      busy={start.isPending || reason.trim() === ''}
      onConfirm={() => start.mutate({ params, body: { reason: reason.trim() } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Facts
        items={[
          [text('restore.undo.toRemove'), format.count(toRemove)],
          [text('restore.undo.toPutBack'), format.count(toPutBack)],
          ...(notKept === 0 ? [] : ([[text('restore.undo.notKept'), format.count(notKept)]] as const)),
          ...(stays === 0 ? [] : ([[text('restore.undo.stays'), format.count(stays)]] as const)),
        ]}
      />
      <Field label={text('restore.undo.reason')} required>
        <Textarea value={reason} maxLength={500} onChange={(_event, { value }) => setReason(value)} />
      </Field>
    </ConfirmDialog>
  );
}
