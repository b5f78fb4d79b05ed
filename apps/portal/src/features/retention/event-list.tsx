import { Subtitle2, Text } from '@fluentui/react-components';
import { retention, retentionEventBody, retentionEventKinds } from '@holdfast/contract/retention';
import type { RetentionEvent } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { read, useChange } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';

/** What happened that starts periods, and the way to record it. */
export function EventList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const list = useQuery(read(retention.events, { params: { tenantId }, quiet: true }));
  const columns = useColumns();
  const [isRecording, setRecording] = useState(false);
  return (
    <Stack>
      <Subtitle2 as="h2">{text('retention.events')}</Subtitle2>
      <Text>{text('retention.eventsLead')}</Text>
      <CommandBar commands={[{ id: 'record', label: text('retention.record'), run: () => setRecording(true) }]} />
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
      {isRecording && <EventForm tenantId={tenantId} onClose={() => setRecording(false)} />}
    </Stack>
  );
}

function useColumns(): readonly Column<RetentionEvent>[] {
  const text = useText();
  const format = useFormat();
  const { words, moment } = useColumnKinds<RetentionEvent>();
  return [
    words({ id: 'subject', title: text('retention.subject'), sort: 'subject', width: 260 }, ({ subject }) =>
      nameWithAddress({ name: subject.name, address: subject.email }),
    ),
    words({ id: 'kind', title: text('retention.eventKind'), sort: 'kind', width: 180 }, (row) => text(`retention.eventKinds.${row.kind}`)),
    words({ id: 'date', title: text('retention.date'), width: 120 }, (row) => format.date(`${row.date}T12:00:00`)),
    words({ id: 'description', title: text('retention.description'), width: 280 }, (row) => row.description),
    words({ id: 'policies', title: text('retention.startedPolicies'), width: 220 }, (row) => row.policies.join(', ')),
    words({ id: 'recorder', title: text('retention.recorder'), width: 220 }, (row) => row.recorder),
    moment({ id: 'recordedAt', title: text('retention.recordedAt'), sort: 'recordedAt' }, (row) => row.recordedAt),
  ];
}

interface EventFormProps {
  readonly tenantId: string;
  readonly onClose: () => void;
}

function EventForm({ tenantId, onClose }: EventFormProps): ReactElement {
  const text = useText();
  const record = useChange(retention.recordEvent, { success: 'successes.retentionEventRecorded' });
  const form = useSchemaForm(retentionEventBody, { kind: 'leftCompany', subject: '', description: '', date: '' });
  return (
    <DetailDrawer title={text('retention.record')} onClose={onClose}>
      <Form
        form={form}
        label={text('retention.record')}
        onSubmit={(body) =>
          record.mutate(
            { params: { tenantId }, body },
            {
              onSuccess: onClose,
              onError: (error) => {
                if (error instanceof ApiError) showServerFaults(form, error.fields);
              },
            },
          )
        }
      >
        <SelectField
          name="kind"
          label={text('retention.eventKind')}
          choices={retentionEventKinds.map((value) => ({ value, label: text(`retention.eventKinds.${value}`) }))}
        />
        <TextField name="subject" label={text('retention.subject')} hint={text('retention.subjectHint')} required />
        <TextField name="date" label={text('retention.date')} type="date" required />
        <TextAreaField name="description" label={text('retention.description')} required />
        <FormButtons isBusy={record.isPending} submit={text('retention.record')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
