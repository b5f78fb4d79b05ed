import { Text } from '@fluentui/react-components';
import { receivers } from '@holdfast/contract/receivers';
import type { Receiver } from '@holdfast/contract/receivers';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { ExchangeSteps } from './exchange-steps.tsx';
import { ReceiverForm } from './receiver-form.tsx';
import { ReceiverState } from './receiver-state.tsx';
import { UnassignedMail } from './unassigned-mail.tsx';

interface ReceiverDrawerProps {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** How often the counters are read: mail arrives all the time. */
const LOOK_MS = 2_000;

/** The receiver of a tenant: how it does, what to enter in Exchange, and mail without an owner; or how to set one up. */
export function ReceiverDrawer({ tenantId, onClose }: ReceiverDrawerProps): ReactElement {
  const text = useText();
  const list = useQuery({ ...read(receivers.list, { params: { tenantId }, quiet: true, background: true }), refetchInterval: LOOK_MS });
  const receiver = list.data?.items[0];
  return (
    <DetailDrawer title={receiver?.name ?? text('receivers.title')} isWide onClose={onClose}>
      {list.isError && list.data === undefined && <FailedState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingShape rows={6} />}
      {list.data !== undefined && <Receiving tenantId={tenantId} receiver={receiver ?? null} onClose={onClose} />}
    </DetailDrawer>
  );
}

function Receiving({ tenantId, receiver, onClose }: ReceiverDrawerProps & { readonly receiver: Receiver | null }): ReactElement {
  const text = useText();
  const [isEditing, setEditing] = useState(false);
  const stop = (): void => setEditing(false);
  if (receiver === null) {
    return (
      <>
        <Text>{text('receivers.lead')}</Text>
        <ReceiverForm tenantId={tenantId} receiver={null} onSaved={stop} onClose={onClose} />
      </>
    );
  }
  if (isEditing) return <ReceiverForm tenantId={tenantId} receiver={receiver} onSaved={stop} onClose={stop} />;
  return (
    <>
      <ReceiverState tenantId={tenantId} receiver={receiver} onEdit={() => setEditing(true)} onClose={onClose} />
      <ExchangeSteps receiver={receiver} />
      <UnassignedMail tenantId={tenantId} receiver={receiver} />
    </>
  );
}
