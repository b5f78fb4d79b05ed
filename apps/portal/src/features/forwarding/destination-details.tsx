import { Button, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { forwarding } from '@holdfast/contract/forwarding';
import type { Destination, SendFailureView } from '@holdfast/contract/forwarding';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { Facts, Row } from '../../ui/layout.tsx';
import { receiverOf, useStateOf } from './destination-words.ts';

/** The server counts no further. */
const MOST_COUNTED = 1_000;

export interface DestinationDetailsProps {
  readonly destination: Destination;
  readonly query: { readonly organisationId?: string };
  /** A new secret, which no later answer contains. */
  readonly onSecret: (secret: string) => void;
  readonly onEdit: (destinationId: string) => void;
  readonly onClose: () => void;
}

/** How far a destination is, what last went wrong, and what can be done. */
export function DestinationDetails(props: DestinationDetailsProps): ReactElement {
  const { destination, onClose } = props;
  const text = useText();
  const format = useFormat();
  const stateOf = useStateOf();
  const failureText = useFailureText();
  const mayManage = useMay('forwarding.manage');
  const { backlog, lastFailure, failingSince, nextAttemptAt, lastSentAt } = destination;
  const at = (instant: string | null): string => (instant === null ? '–' : format.dateTime(instant));
  return (
    <DetailDrawer title={destination.name} onClose={onClose}>
      {mayManage && <Commands {...props} />}
      <Facts
        items={[
          [text('forwarding.state'), stateOf(destination).words],
          [text('forwarding.kind'), text(`forwarding.kinds.${destination.kind}`)],
          [text('forwarding.receiver'), receiverOf(destination)],
          ...(destination.form === null ? [] : ([[text('forwarding.form'), text(`forwarding.forms.${destination.form}`)]] as const)),
          [text('forwarding.feed'), text(`forwarding.feeds.${destination.feed}`)],
          [text('forwarding.lastSent'), at(lastSentAt)],
          [text('forwarding.backlog'), backlog >= MOST_COUNTED ? text('forwarding.backlogMany') : format.count(backlog)],
          [text('forwarding.failingSince'), at(failingSince)],
          [text('forwarding.lastFailure'), lastFailure === null ? '–' : failureText(lastFailure)],
          [text('forwarding.nextAttempt'), at(nextAttemptAt)],
        ]}
      />
    </DetailDrawer>
  );
}

function useFailureText(): (failure: SendFailureView) => string {
  const text = useText();
  return ({ reason, detail }) => {
    const words = text(`forwarding.failures.${reason}`);
    return detail === '' ? words : `${words} (${detail})`;
  };
}

function Commands({ destination, query, onSecret, onEdit, onClose }: DestinationDetailsProps): ReactElement {
  const text = useText();
  const failureText = useFailureText();
  const [isAsked, setIsAsked] = useState(false);
  const test = useChange(forwarding.test);
  const renew = useChange(forwarding.renewSecret, { success: 'successes.secretRenewed' });
  const remove = useChange(forwarding.remove, { success: 'successes.destinationRemoved' });
  const { destinationId, kind, name } = destination;
  const call = { params: { destinationId }, query };
  const failure = test.data?.failure;
  const handleRenew = (): void =>
    renew.mutate(call, {
      onSuccess: ({ secret }) => {
        onSecret(secret);
        onClose();
      },
    });
  return (
    <>
      <Row>
        <Button onClick={() => onEdit(destinationId)}>{text('common.edit')}</Button>
        <Button disabledFocusable={test.isPending} onClick={() => test.mutate(call)}>
          {text('forwarding.test')}
        </Button>
        {kind === 'webhook' && (
          <Button disabledFocusable={renew.isPending} onClick={handleRenew}>
            {text('forwarding.renewSecret')}
          </Button>
        )}
        <Button onClick={() => setIsAsked(true)}>{text('forwarding.remove')}</Button>
      </Row>
      {failure !== undefined && (
        <MessageBar intent={failure === null ? 'success' : 'error'} layout="multiline">
          <MessageBarBody>
            {failure === null ? text('forwarding.tested') : `${text('forwarding.notTested')} ${failureText(failure)}`}
          </MessageBarBody>
        </MessageBar>
      )}
      {isAsked && (
        <ConfirmDialog
          title={text('confirmations.removeDestinationTitle', { name })}
          text={text('confirmations.removeDestinationText')}
          button={text('forwarding.remove')}
          destructive
          busy={remove.isPending}
          onClose={() => setIsAsked(false)}
          onConfirm={() => remove.mutate(call, { onSuccess: onClose, onError: () => setIsAsked(false) })}
        />
      )}
    </>
  );
}
