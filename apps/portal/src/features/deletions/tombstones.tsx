import { deletions } from '@holdfast/contract/deletions';
import type { Tombstone } from '@holdfast/contract/deletions';
import type { QueryFor } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

interface TombstonesProps {
  readonly tenantId: string;
  /** Those of one deletion; without it all. */
  readonly deletionId?: string;
}

/** Digits of a hash in a table; exports have all of them. */
const SHOWN = 12;

/** What is left of deleted messages. */
export function Tombstones({ tenantId, deletionId }: TombstonesProps): ReactElement {
  const text = useText();
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(deletions.tombstones, {
      params: { tenantId },
      query: { ...query, ...(deletionId === undefined ? {} : { deletionId }) } as QueryFor<typeof deletions.tombstones>,
      quiet: true,
    });
  return (
    <DataTable
      id={deletionId === undefined ? 'tombstones' : 'tombstones-of-deletion'}
      prefix="t-"
      label={text(deletionId === undefined ? 'deletions.tombstones' : 'deletions.tombstonesOf')}
      columns={useColumns()}
      source={{ kind: 'pages', page }}
      rowKey={(row) => `${row.mailbox.mailboxId} ${row.messageId}`}
      rowName={(row) => row.messageId}
      empty={<EmptyState text={text('deletions.noTombstones')} />}
    />
  );
}

function useColumns(): readonly Column<Tombstone>[] {
  const text = useText();
  const format = useFormat();
  const { words, size, moment } = useColumnKinds<Tombstone>();
  return [
    {
      id: 'messageId',
      title: text('deletions.hash'),
      width: 170,
      value: (row) => row.messageId,
      render: (row) => <span title={row.messageId}>{`${row.messageId.slice(0, SHOWN)}…`}</span>,
    },
    words({ id: 'mailbox', title: text('deletions.mailbox'), width: 180 }, (row) => row.mailbox.name),
    moment({ id: 'erasedAt', title: text('deletions.erasedAt'), width: 160 }, (row) => row.erasedAt),
    size({ id: 'size', title: text('deletions.size'), width: 100 }, (row) => row.sizeBytes),
    moment({ id: 'receivedAt', title: text('deletions.receivedAt'), width: 160 }, (row) => row.receivedAt),
    moment({ id: 'archivedAt', title: text('deletions.archivedAt'), width: 160 }, (row) => row.archivedAt),
    words({ id: 'reason', title: text('deletions.reason'), width: 220 }, (row) => row.reason),
    words({ id: 'requester', title: text('deletions.requester'), width: 200 }, (row) => row.requester),
    words({ id: 'approver', title: text('deletions.approver'), width: 200 }, (row) => row.approver),
    words({ id: 'logIndex', title: text('deletions.logIndex'), width: 190 }, (row) =>
      row.logIndex === null ? '–' : format.count(row.logIndex),
    ),
  ];
}
