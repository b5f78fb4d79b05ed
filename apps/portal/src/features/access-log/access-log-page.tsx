import { accessLog, contentAccessGrounds, contentAccessKinds, type ContentAccessEntry } from '@holdfast/contract/access-log';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NarrowedByLink } from '../../ui/narrowed-by-link.tsx';
import { Page } from '../../ui/page.tsx';
import { usePeriodOfLink, usePeriodWords } from '../../ui/period-of-link.ts';
import { WithTenant } from '../tenants/index.ts';
import { useSentence } from './use-sentence.ts';

/** `/configuration/access-log`: who saw what of whom, as sentences. */
export default function AccessLogPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.accessLog')} lead={text('accessLog.lead')}>
      <WithTenant>{(tenant) => <AccessLog tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function AccessLog({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'kind',
      label: text('accessLog.kind'),
      choices: contentAccessKinds.map((value) => ({ value, label: text(`accessLog.kinds.${value}`) })),
    },
    {
      id: 'ground',
      label: text('periodReports.ground'),
      choices: contentAccessGrounds.map((value) => ({ value, label: text(`periodReports.grounds.${value}`) })),
    },
  ];
  const period = usePeriodOfLink();
  const periodWords = usePeriodWords();
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(accessLog.list, { params: { tenantId }, query: { ...period, ...chosen, ...query } as never, quiet: true });
  return (
    <>
      {period !== null && <NarrowedByLink text={text('periodReports.period', periodWords(period))} names={['from', 'to']} />}
      <DataTable
        id="access-log"
        label={text('shell.accessLog')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(entry) => entry.id}
        rowName={(entry) => entry.reader}
        empty={<EmptyState text={text('accessLog.empty')} />}
      />
    </>
  );
}

function useColumns(): readonly Column<ContentAccessEntry>[] {
  const text = useText();
  const format = useFormat();
  const sentence = useSentence();
  return [
    { id: 'at', title: text('accessLog.at'), width: 150, value: (row) => format.iso(row.at), render: (row) => <Moment at={row.at} /> },
    { id: 'what', title: text('accessLog.what'), width: 640, value: sentence, render: sentence },
    { id: 'reason', title: text('accessLog.reason'), width: 260, value: (row) => row.reason ?? '', render: (row) => row.reason ?? '–' },
    { id: 'address', title: text('accessLog.address'), value: (row) => row.address ?? '', render: (row) => row.address ?? '–' },
  ];
}
