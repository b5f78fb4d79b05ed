import { Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { staleFor, type StaleRow } from '@holdfast/contract/compliance-values';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { useFileColumns } from './file-column.tsx';
import { ReportChoice, SiteChoice, useReportChoice } from './report-choices.tsx';

/** Files that nobody has changed for a time. */
export function StaleReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [age, setAge] = useReportChoice('unchanged');
  const [site] = useReportChoice('site');
  const unchanged = staleFor.find((one) => one === age) ?? 'months6';
  const chosen = { unchanged, ...(site === '' ? {} : { siteId: site }) };
  const columns: readonly Column<StaleRow>[] = [
    ...useFileColumns<StaleRow>({ name: 'name' }),
    {
      id: 'modifiedAt',
      title: text('compliance.modified'),
      sort: 'modifiedAt',
      width: 150,
      value: (row) => format.iso(row.modifiedAt),
      render: (row) => <Moment at={row.modifiedAt} />,
    },
    { id: 'author', title: text('compliance.author'), width: 160, value: (row) => row.author ?? '', render: (row) => row.author ?? '–' },
    {
      id: 'sizeBytes',
      title: text('compliance.size'),
      sort: 'sizeBytes',
      isNumber: true,
      width: 120,
      value: (row) => row.sizeBytes,
      render: (row) => <Size bytes={row.sizeBytes} />,
    },
  ];
  const sums = useQuery({
    ...read(compliance.stale, { params: { tenantId }, query: { ...chosen, limit: 1 }, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.stale, { params: { tenantId }, query: { ...query, ...chosen } as QueryFor<typeof compliance.stale>, quiet: true });
  const ages = staleFor.map((value) => ({ value, label: text(`compliance.ages.${value}`) }));
  return (
    <Stack>
      <Row>
        <ReportChoice label={text('compliance.stale')} value={unchanged} choices={ages} onChange={setAge} />
        <SiteChoice tenantId={tenantId} />
      </Row>
      {sums.data !== undefined && (
        <Text role="status" weight="semibold">
          {text('compliance.staleTotals', { files: format.count(sums.data.totals.files), size: format.bytes(sums.data.totals.bytes) })}
        </Text>
      )}
      <DataTable
        id="stale-files"
        label={text('compliance.staleTab')}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.sourceId} ${row.nodeId}`}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('compliance.noStale')} />}
      />
    </Stack>
  );
}
