import { dataRequestKinds, dataRequests, dataRequestStates } from '@holdfast/contract/data-requests';
import type { DataRequest } from '@holdfast/contract/data-requests';
import type { QueryFor } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { read, useDownload } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { REQUESTS } from './request-address.ts';
import { RequestDetails } from './request-details.tsx';
import { useRequestWords } from './request-words.ts';

/** `/archive/data-requests`: who asked for access to their data or its erasure, and until when to answer. */
export default function DataRequestsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.dataRequests')} lead={text('dataRequests.lead')}>
      <WithTenant>{(tenant) => <Register tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function Register({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const detail = useDetail(REQUESTS);
  const columns = useColumns();
  const download = useDownload(dataRequests.register);
  const filters: readonly Filter[] = [
    {
      id: 'state',
      label: text('common.status'),
      choices: dataRequestStates.map((value) => ({ value, label: text(`dataRequests.states.${value}`) })),
    },
    {
      id: 'kind',
      label: text('dataRequests.kind'),
      choices: dataRequestKinds.map((value) => ({ value, label: text(`dataRequests.kinds.${value}`) })),
    },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(dataRequests.list, { params: { tenantId }, query: { ...query, ...chosen } as QueryFor<typeof dataRequests.list>, quiet: true });
  return (
    <>
      <CommandBar
        commands={[
          {
            id: 'register',
            label: text('dataRequests.register'),
            run: () => download.mutate({ params: { tenantId } }),
            isDisabled: download.isPending,
          },
        ]}
      />
      <DataTable
        id="data-requests"
        label={text('shell.dataRequests')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.requestId}
        rowName={(row) => row.person.name}
        onOpen={(row) => detail.view(row.requestId)}
        empty={
          <EmptyState text={text('dataRequests.empty')} action={<RouterLink to="/people">{text('dataRequests.openPeople')}</RouterLink>} />
        }
      />
      {detail.mode === 'view' && detail.id !== null && <RequestDetails tenantId={tenantId} requestId={detail.id} onClose={detail.close} />}
    </>
  );
}

function useColumns(): readonly Column<DataRequest>[] {
  const text = useText();
  const requestWords = useRequestWords();
  const { words, count } = useColumnKinds<DataRequest>();
  return [
    words({ id: 'person', title: text('dataRequests.person'), width: 220 }, (row) => row.person.name),
    words({ id: 'kind', title: text('dataRequests.kind'), width: 120 }, (row) => text(`dataRequests.kinds.${row.kind}`)),
    words({ id: 'left', title: text('dataRequests.left'), width: 180 }, (row) => requestWords.left(row)),
    words({ id: 'dueOn', title: text('dataRequests.dueOn'), sort: 'dueOn', width: 130 }, (row) => requestWords.day(row.dueOn)),
    words({ id: 'receivedOn', title: text('dataRequests.receivedOn'), sort: 'receivedOn', width: 130 }, (row) =>
      requestWords.day(row.receivedOn),
    ),
    words({ id: 'note', title: text('dataRequests.note'), width: 260 }, (row) => row.note),
    count({ id: 'leftOut', title: text('dataRequests.leftOut'), width: 110 }, (row) => row.collected?.leftOut ?? null),
    words({ id: 'how', title: text('dataRequests.how'), width: 240 }, (row) => row.answer?.how ?? ''),
    words({ id: 'answeredBy', title: text('dataRequests.answeredBy'), width: 200 }, (row) => row.answer?.by ?? ''),
  ];
}
