import { Subtitle2, Text } from '@fluentui/react-components';
import { deletions, deletionStates } from '@holdfast/contract/deletions';
import type { MessageDeletion } from '@holdfast/contract/deletions';
import type { QueryFor } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { deletionAddress } from './deletion-address.ts';
import { MessageDeletionDetails } from './message-deletion-details.tsx';
import { Tombstones } from './tombstones.tsx';

/** Deletions of archived messages, and below them what is left of the messages. */
export function MessageDeletions({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const opened = params.get('list');
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'state',
      label: text('common.status'),
      choices: deletionStates.map((value) => ({ value, label: text(`deletions.states.${value}`) })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(deletions.list, {
      params: { tenantId },
      query: { ...query, ...chosen } as QueryFor<typeof deletions.list>,
      quiet: true,
    });
  return (
    <Stack loose>
      <DataTable
        id="message-deletions"
        label={text('deletions.tab')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.deletionId}
        rowName={(row) => row.query}
        onOpen={(row) => void navigate(deletionAddress(row.deletionId))}
        empty={
          <EmptyState
            text={text('deletions.empty')}
            action={<RouterLink to="/archive/mailboxes">{text('deletions.openMailboxes')}</RouterLink>}
          />
        }
      />
      <Subtitle2 as="h2">{text('deletions.tombstones')}</Subtitle2>
      <Text>{text('deletions.tombstonesLead')}</Text>
      <Tombstones tenantId={tenantId} />
      {opened !== null && (
        <MessageDeletionDetails tenantId={tenantId} deletionId={opened} onClose={() => void navigate(deletionAddress())} />
      )}
    </Stack>
  );
}

function useColumns(): readonly Column<MessageDeletion>[] {
  const text = useText();
  const { words, count, size, moment } = useColumnKinds<MessageDeletion>();
  return [
    words({ id: 'query', title: text('deletions.what'), width: 260 }, (row) => row.query),
    words({ id: 'state', title: text('common.status'), width: 220 }, (row) => text(`deletions.states.${row.state}`)),
    words({ id: 'basis', title: text('deletions.basis'), width: 190 }, (row) => text(`deletions.bases.${row.basis}`)),
    count({ id: 'messages', title: text('deletions.messages'), width: 110 }, (row) => row.listed.messages),
    size({ id: 'size', title: text('deletions.size'), width: 100 }, (row) => row.listed.bytes),
    count({ id: 'kept', title: text('deletions.keptCount'), width: 130 }, (row) => row.kept.messages),
    count({ id: 'erased', title: text('deletions.erasedCount'), width: 100 }, (row) => row.erased.messages),
    words({ id: 'requester', title: text('deletions.requester'), width: 220 }, (row) => row.requester),
    moment({ id: 'createdAt', title: text('deletions.createdAt'), sort: 'createdAt', width: 160 }, (row) => row.createdAt),
  ];
}
