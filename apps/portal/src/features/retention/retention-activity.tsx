import { Text } from '@fluentui/react-components';
import { retention, retentionDeeds, type RetentionDeed } from '@holdfast/contract/retention';
import type { QueryFor } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

function useColumns(): readonly Column<RetentionDeed>[] {
  const text = useText();
  const format = useFormat();
  const { words, size, moment } = useColumnKinds<RetentionDeed>();
  const counted = ({ messages, about }: RetentionDeed): string =>
    messages === null
      ? ''
      : text(about === 'files' ? 'retention.countedFiles' : 'retention.countedMessages', {
          count: messages,
          amount: format.count(messages),
        });
  return [
    words({ id: 'name', title: text('retention.deedName'), sort: 'name', width: 240 }, (row) => row.name),
    words({ id: 'kind', title: text('retention.deed'), width: 150 }, (row) => text(`retention.deeds.${row.kind}`)),
    words({ id: 'state', title: text('common.status'), width: 150 }, (row) =>
      row.state === 'done' ? text('retention.done') : text(`approvals.${row.state}`),
    ),
    words({ id: 'counted', title: text('retention.counted'), width: 160 }, counted),
    size({ id: 'bytes', title: text('compliance.size'), width: 110 }, (row) => row.bytes),
    moment({ id: 'startedAt', title: text('retention.startedAt'), sort: 'startedAt', width: 160 }, (row) => row.startedAt),
    moment({ id: 'endedAt', title: text('retention.endedAt'), width: 160 }, (row) => row.endedAt),
    words({ id: 'startedBy', title: text('retention.startedBy'), width: 220 }, (row) => row.startedBy ?? ''),
    words({ id: 'decidedBy', title: text('retention.decidedBy'), width: 220 }, (row) => row.decidedBy ?? ''),
  ];
}

/** Lists previews, approvals and events of retention policies; a row opens the policies. */
export function RetentionActivity({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const columns = useColumns();
  const byKind: Filter = {
    id: 'kind',
    label: text('retention.deed'),
    choices: retentionDeeds.map((value) => ({ value, label: text(`retention.deeds.${value}`) })),
  };
  const page = ({ filters, ...query }: PageQuery) =>
    read(retention.deeds, { params: { tenantId }, query: { ...filters, ...query } as QueryFor<typeof retention.deeds>, quiet: true });
  return (
    <>
      <Text>{text('retention.activityLead')}</Text>
      <DataTable
        id="retention-activity"
        label={text('retention.activity')}
        columns={columns}
        filters={[byKind]}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.kind} ${row.deedId}`}
        rowName={(row) => row.name}
        onOpen={() => void navigate('/configuration/retention')}
        empty={<EmptyState text={text('retention.activityEmpty')} />}
      />
    </>
  );
}
