import { Subtitle2, Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import { sensitiveKinds, type SensitiveConversation } from '@holdfast/contract/compliance-values';
import type { QueryFor } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ReportTotals } from './report-totals.tsx';

function useColumns(): readonly Column<SensitiveConversation>[] {
  const text = useText();
  const format = useFormat();
  const { words, count } = useColumnKinds<SensitiveConversation>();
  const found = (row: SensitiveConversation): string =>
    row.found
      .map(({ kind, messages, sample }) => `${text(`compliance.sensitive.${kind}`)}: ${format.count(messages)} (${sample})`)
      .join(', ');
  return [
    words({ id: 'name', title: text('compliance.conversation'), sort: 'name', width: 260 }, ({ name, team }) =>
      team === null ? name : text('compliance.conversationIn', { name, team }),
    ),
    words({ id: 'guests', title: text('compliance.guestsIn'), sort: 'guests', width: 260 }, ({ guests }) =>
      guests.length === 0 ? text('compliance.noGuests') : guests.join(', '),
    ),
    count({ id: 'messages', title: text('compliance.messagesWith'), sort: 'messages', width: 130 }, (row) => row.messages),
    words({ id: 'found', title: text('compliance.foundInMessages'), width: 320 }, found),
  ];
}

/** Chats and channels whose messages name personal or payment numbers, those with most guests first. */
export function SensitiveConversations({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns = useColumns();
  const sums = useQuery(read(compliance.sensitiveConversations, { params: { tenantId }, query: { limit: 1 }, quiet: true }));
  const { conversations = 0, exposed = 0 } = sums.data?.totals ?? {};
  const filters: readonly Filter[] = [
    {
      id: 'exposed',
      label: text('compliance.guestsIn'),
      choices: [
        { value: 'true', label: text('compliance.openToGuests') },
        { value: 'false', label: text('compliance.noGuests') },
      ],
    },
    {
      id: 'kind',
      label: text('compliance.found'),
      choices: sensitiveKinds.map((value) => ({ value, label: text(`compliance.sensitive.${value}`) })),
    },
  ];
  const page = ({ filters: narrowed, ...query }: PageQuery) =>
    read(compliance.sensitiveConversations, {
      params: { tenantId },
      query: { ...narrowed, ...query } as QueryFor<typeof compliance.sensitiveConversations>,
      quiet: true,
    });
  const counted = { conversations: format.count(conversations), exposed: format.count(exposed) };
  return (
    <>
      <Subtitle2 as="h2">{text('compliance.sensitiveConversations')}</Subtitle2>
      <ReportTotals words={sums.data && text('compliance.sensitiveConversationTotals', counted)} />
      <Text>{text('compliance.mailNotShared')}</Text>
      <DataTable
        id="sensitive-conversations"
        prefix="conversations"
        label={text('compliance.sensitiveConversations')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.sourceId} ${row.nodeId}`}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('compliance.noSensitiveConversations')} />}
      />
    </>
  );
}
