import { Subtitle2, Text } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import type { RetentionEvent } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { EventFileForm } from './event-file-form.tsx';
import { EventForm } from './event-form.tsx';

/** What happened that starts periods, and the way to record it. */
export function EventList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const list = useQuery(read(retention.events, { params: { tenantId }, quiet: true }));
  const columns = useColumns();
  const [isReading, setReading] = useState(false);
  const [isRecording, setRecording] = useState(false);
  return (
    <Stack>
      <Subtitle2 as="h2">{text('retention.events')}</Subtitle2>
      <Text>{text('retention.eventsLead')}</Text>
      <CommandBar
        commands={[
          { id: 'record', label: text('retention.record'), run: () => setRecording(true) },
          { id: 'file', label: text('retention.fileTitle'), run: () => setReading(true) },
        ]}
      />
      <DataTable
        id="retention-events"
        prefix="events"
        label={text('retention.events')}
        columns={columns}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.eventId}
        rowName={(one) => one.subject.name}
        empty={<EmptyState text={text('retention.eventsEmpty')} />}
      />
      {isReading && <EventFileForm tenantId={tenantId} onClose={() => setReading(false)} />}
      {isRecording && <EventForm tenantId={tenantId} place={null} onClose={() => setRecording(false)} />}
    </Stack>
  );
}

function useColumns(): readonly Column<RetentionEvent>[] {
  const text = useText();
  const format = useFormat();
  const { words, moment } = useColumnKinds<RetentionEvent>();
  return [
    words({ id: 'subject', title: text('retention.eventSubject'), sort: 'subject', width: 260 }, ({ subject, items }) =>
      items.length === 0
        ? nameWithAddress({ name: subject.name, address: subject.email })
        : text('retention.placeWithin', { site: subject.name, name: items.map(({ name }) => name).join(', ') }),
    ),
    words({ id: 'kind', title: text('retention.eventKind'), sort: 'kind', width: 180 }, (row) => text(`retention.eventKinds.${row.kind}`)),
    words({ id: 'date', title: text('retention.date'), width: 120 }, (row) => format.date(`${row.date}T12:00:00`)),
    words({ id: 'description', title: text('retention.description'), width: 280 }, (row) => row.description),
    words({ id: 'policies', title: text('retention.startedPolicies'), width: 220 }, (row) => row.policies.join(', ')),
    words({ id: 'recorder', title: text('retention.recorder'), width: 220 }, (row) => row.recorder ?? text('retention.byDirectory')),
    moment({ id: 'recordedAt', title: text('retention.recordedAt'), sort: 'recordedAt' }, (row) => row.recordedAt),
  ];
}
