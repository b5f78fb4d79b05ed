import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { staleFor, type StaleRow } from '@holdfast/contract/compliance-values';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { useFileColumns } from './file-column.tsx';
import { ReportChoice, useReportChoice } from './report-choices.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';
import { ReportTop, topRows } from './report-top.tsx';
import { ReportTotals } from './report-totals.tsx';

/** Files that nobody has changed for a time. */
export function StaleReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [age, setAge] = useReportChoice('unchanged');
  const scope = useReportScope();
  const unchanged = staleFor.find((one) => one === age) ?? 'months6';
  const chosen = { unchanged, ...scope };
  const { words, size, moment } = useColumnKinds<StaleRow>();
  const columns: readonly Column<StaleRow>[] = [
    ...useFileColumns<StaleRow>({ name: 'name' }),
    moment({ id: 'modifiedAt', title: text('compliance.modified'), sort: 'modifiedAt', width: 150 }, (row) => row.modifiedAt),
    words({ id: 'author', title: text('compliance.author'), width: 160 }, (row) => row.author ?? ''),
    size({ id: 'sizeBytes', title: text('compliance.size'), sort: 'sizeBytes', width: 120 }, (row) => row.sizeBytes),
  ];
  const sums = useQuery({
    ...read(compliance.stale, { params: { tenantId }, query: { ...chosen, limit: topRows, sort: '-sizeBytes' }, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.stale, { params: { tenantId }, query: { ...query, ...chosen } as QueryFor<typeof compliance.stale>, quiet: true });
  const ages = staleFor.map((value) => ({ value, label: text(`compliance.ages.${value}`) }));
  return (
    <Stack>
      <Row>
        <ReportChoice label={text('compliance.stale')} value={unchanged} choices={ages} onChange={setAge} />
        <ScopeChoices tenantId={tenantId} />
      </Row>
      <ReportTotals
        words={
          sums.data &&
          text('compliance.staleTotals', { files: format.count(sums.data.totals.files), size: format.bytes(sums.data.totals.bytes) })
        }
      />
      <ReportTop
        title={text('compliance.topStale')}
        bars={sums.data?.items.map((row) => ({
          id: `${row.sourceId} ${row.nodeId}`,
          name: row.name,
          value: row.sizeBytes,
          words: format.bytes(row.sizeBytes),
          hint: [row.siteName, row.path].filter((part) => part !== '').join('/'),
        }))}
      />
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
