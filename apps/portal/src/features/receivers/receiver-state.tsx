import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { receivers } from '@holdfast/contract/receivers';
import type { Receiver } from '@holdfast/contract/receivers';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Status } from '../../ui/status-badge.tsx';

interface ReceiverStateProps {
  readonly tenantId: string;
  readonly receiver: Receiver;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

function useReceiverState(receiver: Receiver): { readonly status: Status; readonly words: string } {
  const text = useText();
  const format = useFormat();
  const { isEnabled, listening, silentSince, lastReceivedAt, createdAt } = receiver;
  if (!isEnabled) return { status: 'disabled', words: text('receivers.paused') };
  if (listening === null) return { status: 'failed', words: text('receivers.results.notListening') };
  if (silentSince !== null)
    return { status: 'failed', words: text('receivers.silent', { since: format.dateTime(lastReceivedAt ?? createdAt) }) };
  if (lastReceivedAt === null) return { status: 'pending', words: text('receivers.waitingForFirst') };
  return { status: 'running', words: text('receivers.receiving') };
}

/** How a receiver does: live counters, the last receipt, its alarms and its certificate, and what can be done. */
export function ReceiverState(props: ReceiverStateProps): ReactElement {
  const { receiver } = props;
  const text = useText();
  const format = useFormat();
  const { status, words } = useReceiverState(receiver);
  const at = (instant: string | null): string => (instant === null ? '–' : format.dateTime(instant));
  const { listening, lastFailedAt } = receiver;
  return (
    <>
      <Commands {...props} />
      {listening === null && receiver.isEnabled && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{text('receivers.notListening')}</MessageBarBody>
        </MessageBar>
      )}
      {receiver.silentSince !== null && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{text('receivers.silentHelp')}</MessageBarBody>
        </MessageBar>
      )}
      <Facts
        items={[
          [text('receivers.state'), <StatusBadge key="state" status={status} detail={words} />],
          [text('receivers.received'), format.count(receiver.received)],
          [text('receivers.size'), format.bytes(receiver.receivedBytes)],
          [text('receivers.lastReceived'), at(receiver.lastReceivedAt)],
          [text('receivers.placed'), format.count(receiver.placed)],
          [text('receivers.waiting'), format.count(receiver.waiting)],
          [text('receivers.unassigned'), format.count(receiver.unassigned)],
          [text('receivers.broken'), format.count(receiver.broken)],
          [text('receivers.exempt'), format.count(receiver.exempt)],
          ...(receiver.erasedBefore === 0 ? [] : [[text('receivers.erasedBefore'), format.count(receiver.erasedBefore)] as const]),
          ...(lastFailedAt === null
            ? []
            : [[text('receivers.lastFailure'), text('receivers.lastFailureAt', { at: at(lastFailedAt) })] as const]),
          ...(listening === null ? [] : [[text('receivers.certificate'), at(listening.certificateEndsAt)] as const]),
        ]}
      />
    </>
  );
}

function Commands({ tenantId, receiver, onEdit, onClose }: ReceiverStateProps): ReactElement {
  const text = useText();
  const [asked, setAsked] = useState<'renew' | 'remove' | null>(null);
  const test = useChange(receivers.test);
  const renew = useChange(receivers.renewAddress, { success: 'successes.receiverRenewed' });
  const remove = useChange(receivers.remove, { success: 'successes.receiverRemoved' });
  const call = { params: { tenantId, receiverId: receiver.receiverId } };
  const close = (): void => setAsked(null);
  return (
    <>
      <Row>
        <Button appearance="primary" disabledFocusable={test.isPending} onClick={() => test.mutate(call)}>
          {text('receivers.test')}
        </Button>
        <Button onClick={onEdit}>{text('receivers.edit')}</Button>
        <Button onClick={() => setAsked('renew')}>{text('receivers.renew')}</Button>
        <Button onClick={() => setAsked('remove')}>{text('receivers.remove')}</Button>
      </Row>
      {test.isPending && (
        <MessageBar>
          <MessageBarBody>{text('receivers.testing')}</MessageBarBody>
        </MessageBar>
      )}
      {test.data !== undefined && !test.isPending && (
        <MessageBar intent={test.data.result === 'stored' ? 'success' : 'error'} layout="multiline">
          <MessageBarBody>{text(`receivers.results.${test.data.result}`, { detail: test.data.detail })}</MessageBarBody>
        </MessageBar>
      )}
      {asked === 'renew' && (
        <ConfirmDialog
          title={text('receivers.renewConfirm')}
          text={text('receivers.renewText')}
          button={text('receivers.renew')}
          busy={renew.isPending}
          onClose={close}
          onConfirm={() => renew.mutate(call, { onSettled: close })}
        />
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={text('receivers.removeConfirm')}
          text={text('receivers.removeText')}
          button={text('receivers.remove')}
          destructive
          busy={remove.isPending}
          onClose={close}
          onConfirm={() => remove.mutate(call, { onSuccess: onClose, onError: close })}
        />
      )}
    </>
  );
}
