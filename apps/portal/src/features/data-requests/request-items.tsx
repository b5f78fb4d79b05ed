import { Button, Subtitle2 } from '@fluentui/react-components';
import { dataRequestNote, dataRequestParts, dataRequests } from '@holdfast/contract/data-requests';
import type { DataRequestDetails, DataRequestItem } from '@holdfast/contract/data-requests';
import type { QueryFor } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { ReadingPane } from '../search/index.ts';

interface RequestItemsProps {
  readonly tenantId: string;
  readonly request: DataRequestDetails;
}

interface Leaving {
  readonly positions: number[];
  readonly clear: () => void;
}

/** What was found of a person, item by item: it can be read, left out with a reason, and put back. */
export function RequestItems({ tenantId, request }: RequestItemsProps): ReactElement {
  const text = useText();
  const { requestId, person, answer } = request;
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const [opened, setOpened] = useState<DataRequestItem | null>(null);
  const putBack = useChange(dataRequests.putBack, { success: 'dataRequests.putBackDone' });
  const columns = useColumns();
  const positionsOf = (rows: readonly DataRequestItem[]): number[] => rows.map(({ position }) => position);
  const commandsOf = (rows: readonly DataRequestItem[], clear: () => void): ReactElement => (
    <>
      <Button appearance="primary" onClick={() => setLeaving({ positions: positionsOf(rows), clear })}>
        {text('dataRequests.leaveOut')}
      </Button>
      <Button
        disabled={putBack.isPending}
        onClick={() => putBack.mutate({ params: { tenantId, requestId }, body: { positions: positionsOf(rows) } }, { onSuccess: clear })}
      >
        {text('dataRequests.putBack')}
      </Button>
    </>
  );
  const page = ({ filters: chosen, search: _search, ...query }: PageQuery) =>
    read(dataRequests.items, {
      params: { tenantId, requestId },
      query: { ...query, ...chosen } as QueryFor<typeof dataRequests.items>,
      quiet: true,
    });
  return (
    <>
      <Subtitle2 as="h3">{text('dataRequests.items')}</Subtitle2>
      {leaving !== null && <LeaveOutForm tenantId={tenantId} requestId={requestId} leaving={leaving} onClose={() => setLeaving(null)} />}
      <DataTable
        id="data-request-items"
        label={text('dataRequests.items')}
        columns={columns}
        filters={useFilters()}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={(row) => String(row.position)}
        rowName={(row) => row.hit?.title ?? String(row.position)}
        onOpen={(row) => setOpened(row.hit === null ? null : row)}
        empty={<EmptyState text={text('dataRequests.noItems')} />}
        prefix="item"
        {...(answer === null ? { selectionCommands: commandsOf } : {})}
      />
      {opened?.hit && (
        <ReadingPane
          key={opened.position}
          tenantId={tenantId}
          hit={opened.hit}
          reason={text('dataRequests.itemsReason', { name: person.name })}
        />
      )}
    </>
  );
}

function useFilters(): readonly Filter[] {
  const text = useText();
  return [
    {
      id: 'part',
      label: text('dataRequests.part'),
      choices: dataRequestParts.map((value) => ({ value, label: text(`dataRequests.parts.${value}`) })),
    },
    { id: 'leftOut', label: text('dataRequests.leftOut'), choices: [{ value: 'true', label: text('dataRequests.leftOut') }] },
  ];
}

function useColumns(): readonly Column<DataRequestItem>[] {
  const text = useText();
  const { words, size, moment } = useColumnKinds<DataRequestItem>();
  return [
    words({ id: 'title', title: text('dataRequests.title'), width: 280 }, ({ hit }) =>
      hit === null ? text('dataRequests.gone') : hit.title.trim() || text('search.untitled'),
    ),
    words({ id: 'sender', title: text('dataRequests.sender'), width: 200 }, ({ hit }) => hit?.sender ?? ''),
    words({ id: 'where', title: text('dataRequests.where'), width: 200 }, ({ hit }) => hit?.resource.name || (hit?.resource.address ?? '')),
    words({ id: 'part', title: text('dataRequests.part'), width: 110 }, ({ part }) => text(`dataRequests.parts.${part}`)),
    moment({ id: 'at', title: text('dataRequests.at'), width: 160 }, ({ hit }) => hit?.at ?? null),
    size({ id: 'size', title: text('search.columns.size'), width: 90 }, ({ hit }) => hit?.sizeBytes ?? null),
    words({ id: 'state', title: text('dataRequests.state'), width: 200 }, ({ leftOut }) =>
      leftOut === null ? text('dataRequests.isIn') : text('dataRequests.isOut', { reason: leftOut.reason }),
    ),
  ];
}

const leavingOut = z.object({ reason: dataRequestNote });

interface LeaveOutFormProps {
  readonly tenantId: string;
  readonly requestId: string;
  readonly leaving: Leaving;
  readonly onClose: () => void;
}

function LeaveOutForm({ tenantId, requestId, leaving: { positions, clear }, onClose }: LeaveOutFormProps): ReactElement {
  const text = useText();
  const leaveOut = useChange(dataRequests.leaveOut, { success: 'dataRequests.leftOutDone' });
  const form = useSchemaForm(leavingOut, { reason: '' });
  return (
    <Form
      form={form}
      label={text('dataRequests.leaveOutTitle', { count: positions.length })}
      onSubmit={({ reason }) =>
        leaveOut.mutate(
          { params: { tenantId, requestId }, body: { positions, reason } },
          {
            onSuccess: () => {
              clear();
              onClose();
            },
          },
        )
      }
    >
      <TextAreaField name="reason" label={text('dataRequests.leaveOutReason')} hint={text('dataRequests.leaveOutHint')} required />
      <FormButtons isBusy={leaveOut.isPending} submit={text('dataRequests.leaveOutTitle', { count: positions.length })} onClose={onClose} />
    </Form>
  );
}
