import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { DuplicateRow } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { fileLink } from './report-choices.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';
import { ReportTop, topRows } from './report-top.tsx';
import { ReportTotals } from './report-totals.tsx';

function useColumns(): readonly Column<DuplicateRow>[] {
  const text = useText();
  const { words, count, size } = useColumnKinds<DuplicateRow>();
  return [
    words({ id: 'name', title: text('common.name'), width: 300 }, (row) => row.name),
    count({ id: 'copies', title: text('compliance.copies'), sort: 'copies', width: 110 }, (row) => row.copies),
    count({ id: 'sites', title: text('compliance.sites'), width: 190 }, (row) => row.sites),
    size({ id: 'sizeBytes', title: text('compliance.size'), sort: 'sizeBytes', width: 120 }, (row) => row.sizeBytes),
    size({ id: 'wastedBytes', title: text('compliance.wasted'), sort: 'wastedBytes', width: 150 }, (row) => row.wastedBytes),
    words({ id: 'uneven', title: text('compliance.uneven'), width: 180 }, (row) =>
      text(row.isSharedUnevenly ? 'compliance.unevenYes' : 'compliance.unevenNo'),
    ),
  ];
}

/** The same content in several places. */
export function DuplicatesReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns = useColumns();
  const [opened, setOpened] = useState<DuplicateRow | null>(null);
  const chosen = useReportScope();
  const sums = useQuery(
    read(compliance.duplicates, { params: { tenantId }, query: { ...chosen, limit: topRows, sort: '-wastedBytes' }, quiet: true }),
  );
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.duplicates, {
      params: { tenantId },
      query: { ...query, ...chosen } as QueryFor<typeof compliance.duplicates>,
      quiet: true,
    });
  return (
    <Stack>
      <Row>
        <ScopeChoices tenantId={tenantId} />
      </Row>
      <ReportTotals
        words={
          sums.data &&
          text('compliance.duplicateTotals', {
            copies: format.count(sums.data.totals.copies),
            size: format.bytes(sums.data.totals.wastedBytes),
          })
        }
      />
      <ReportTop
        title={text('compliance.topDuplicates')}
        bars={sums.data?.items.map((row) => ({
          id: row.content,
          name: row.name,
          value: row.wastedBytes,
          words: format.bytes(row.wastedBytes),
        }))}
      />
      <DataTable
        id="duplicates"
        label={text('compliance.duplicatesTab')}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.content}
        rowName={(row) => row.name}
        onOpen={setOpened}
        empty={<EmptyState text={text('compliance.noDuplicates')} />}
      />
      {opened !== null && (
        <DetailDrawer title={opened.name} onClose={() => setOpened(null)}>
          <Facts
            stacked
            items={opened.places.map((place) => [
              [place.siteName, place.path].filter((part) => part !== '').join('/'),
              <RouterLink key={place.nodeId} to={fileLink(place)}>
                {place.name}
              </RouterLink>,
            ])}
          />
        </DetailDrawer>
      )}
    </Stack>
  );
}
