import { AddRegular } from '@fluentui/react-icons';
import { forwarding } from '@holdfast/contract/forwarding';
import type { Destination } from '@holdfast/contract/forwarding';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useChosenWorker, useMay, usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import type { Detail } from '../../ui/use-detail.ts';
import { DestinationDetails } from './destination-details.tsx';
import { DestinationForm } from './destination-form.tsx';
import { receiverOf, useStateOf } from './destination-words.ts';

const base = '/configuration/audit-forwarding';
/** How often the page looks how far each destination is. */
const LOOK_MS = 10_000;

/** `/configuration/audit-forwarding`: where audit events are sent, and how far each destination is. */
export default function ForwardingPage(): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const chosen = useChosenWorker();
  const mayManage = useMay('forwarding.manage');
  const detail = useDetail(base);
  const [secret, setSecret] = useState<string | null>(null);
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const list = useQuery({ ...read(forwarding.list, { query, quiet: true }), refetchInterval: LOOK_MS });
  const columns = useColumns();
  const open = list.data?.items.find(({ destinationId }) => destinationId === detail.id) ?? null;
  const create = { id: 'create', label: text('forwarding.create'), icon: <AddRegular />, run: detail.create, isPrimary: true };
  return (
    <Page title={text('shell.auditForwarding')} lead={text('forwarding.lead')} commands={mayManage && <CommandBar commands={[create]} />}>
      {secret !== null && (
        <ShownOnce
          title={text('forwarding.once')}
          use={text('forwarding.use')}
          value={secret}
          kept={text('forwarding.kept')}
          onCopied={() => toasts.show('success', text('successes.copied'))}
          onDone={() => setSecret(null)}
        />
      )}
      <DataTable
        id="audit-destinations"
        label={text('shell.auditForwarding')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={({ destinationId }) => destinationId}
        rowName={({ name }) => name}
        onOpen={({ destinationId }) => detail.view(destinationId)}
        empty={<EmptyState text={text('forwarding.empty')} />}
      />
      <OpenDestination detail={detail} destination={open} query={query} onSecret={setSecret} />
      <MissingDetail detail={detail} ids={list.data?.items.map(({ destinationId }) => destinationId)} />
    </Page>
  );
}

interface OpenDestinationProps {
  readonly detail: Detail;
  readonly destination: Destination | null;
  readonly query: { readonly organisationId?: string };
  readonly onSecret: (secret: string) => void;
}

/** What the address asks for: a new destination, one to look at, or one to change. */
function OpenDestination({ detail, destination, ...shared }: OpenDestinationProps): ReactElement | null {
  const mayManage = useMay('forwarding.manage');
  const common = { ...shared, onClose: detail.close };
  if (detail.mode === 'new') return mayManage ? <DestinationForm {...common} destination={null} /> : null;
  if (destination === null || detail.mode === 'list') return null;
  if (detail.mode === 'view') return <DestinationDetails {...common} destination={destination} onEdit={detail.edit} />;
  return mayManage ? <DestinationForm {...common} destination={destination} /> : null;
}

function useColumns(): readonly Column<Destination>[] {
  const text = useText();
  const stateOf = useStateOf();
  const { words, moment, count } = useColumnKinds<Destination>();
  return [
    words({ id: 'name', title: text('common.name'), width: 200 }, ({ name }) => name),
    words({ id: 'kind', title: text('forwarding.kind') }, ({ kind }) => text(`forwarding.kinds.${kind}`)),
    words({ id: 'receiver', title: text('forwarding.receiver'), width: 260 }, receiverOf),
    words({ id: 'feed', title: text('forwarding.feed') }, ({ feed }) => text(`forwarding.feeds.${feed}`)),
    {
      id: 'state',
      title: text('forwarding.state'),
      width: 200,
      value: (row) => stateOf(row).words,
      render: (row) => {
        const { status, words: detail } = stateOf(row);
        return <StatusBadge status={status} detail={detail} />;
      },
    },
    moment({ id: 'lastSentAt', title: text('forwarding.lastSent') }, ({ lastSentAt }) => lastSentAt),
    count({ id: 'backlog', title: text('forwarding.backlog') }, ({ backlog }) => backlog),
  ];
}
