import { Subtitle2, Text } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import type { Departure, DirectoryState } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { EventForm } from './event-form.tsx';

/** People whom the directory no longer has or has closed, and the way to record that they left. */
export function DepartureList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const params = { tenantId };
  const state = useQuery(read(retention.directory, { params, quiet: true }));
  const ask = useChange(retention.readDirectory);
  const columns = useColumns();
  const [recording, setRecording] = useState<Departure | null>(null);
  return (
    <Stack>
      <Subtitle2 as="h2">{text('retention.left')}</Subtitle2>
      <Text>{text('retention.leftLead')}</Text>
      {state.data !== undefined && <LastRead state={ask.data ?? state.data} />}
      <CommandBar
        commands={[{ id: 'read', label: text('retention.readDirectory'), run: () => ask.mutate({ params }), isDisabled: ask.isPending }]}
      />
      <DataTable
        id="retention-departures"
        prefix="left"
        label={text('retention.left')}
        columns={columns}
        source={{ kind: 'list', rows: state.data?.departures, error: state.error, retry: () => void state.refetch() }}
        rowKey={({ subject }) => subject.mailboxId}
        rowName={({ subject }) => subject.name}
        onOpen={setRecording}
        empty={<EmptyState text={text(state.data?.readAt === null ? 'retention.leftUnread' : 'retention.leftEmpty')} />}
      />
      {recording !== null && (
        <EventForm
          tenantId={tenantId}
          place={{ resource: { resourceId: recording.subject.mailboxId, name: recording.subject.name }, items: [] }}
          known={{ kind: 'leftCompany', date: recording.date }}
          onClose={() => setRecording(null)}
        />
      )}
    </Stack>
  );
}

/** When the directory was read, and whether that still holds. */
function LastRead({ state: { readAt, code, isWaiting, people } }: { readonly state: DirectoryState }): ReactElement {
  const text = useText();
  const format = useFormat();
  const at = readAt === null ? text('retention.directoryUnread') : text('retention.directoryRead', { at: format.dateTime(readAt), people });
  return (
    <Text role="status">
      {[at, ...(code === null ? [] : [text('retention.directoryFailed')]), ...(isWaiting ? [text('retention.directoryWaiting')] : [])].join(
        ' ',
      )}
    </Text>
  );
}

function useColumns(): readonly Column<Departure>[] {
  const text = useText();
  const format = useFormat();
  const { words, moment } = useColumnKinds<Departure>();
  return [
    words({ id: 'subject', title: text('retention.eventSubject'), sort: 'subject', width: 260 }, ({ subject }) =>
      nameWithAddress({ name: subject.name, address: subject.email }),
    ),
    words({ id: 'kind', title: text('retention.leftKind'), sort: 'kind', width: 200 }, (row) => text(`retention.leftKinds.${row.kind}`)),
    words({ id: 'date', title: text('retention.leftDay'), width: 130 }, (row) =>
      row.date === null ? text('retention.leftNoDay') : format.date(`${row.date}T12:00:00`),
    ),
    moment({ id: 'lastSeenAt', title: text('retention.leftLastSeen'), sort: 'lastSeenAt' }, (row) => row.lastSeenAt),
    moment({ id: 'noticedAt', title: text('retention.leftNoticed'), sort: 'noticedAt' }, (row) => row.noticedAt),
    moment({ id: 'recordedFrom', title: text('retention.leftFrom'), sort: 'recordedFrom' }, (row) => row.recordedFrom),
  ];
}
