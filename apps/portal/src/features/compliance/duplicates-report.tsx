import { Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { DuplicateRow } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { Size } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { fileLink, SiteChoice, useReportChoice } from './report-choices.tsx';

function useColumns(): readonly Column<DuplicateRow>[] {
  const text = useText();
  const format = useFormat();
  const uneven = (row: DuplicateRow): string => text(row.isSharedUnevenly ? 'compliance.unevenYes' : 'compliance.unevenNo');
  return [
    { id: 'name', title: text('common.name'), width: 300, value: (row) => row.name, render: (row) => row.name },
    {
      id: 'copies',
      title: text('compliance.copies'),
      sort: 'copies',
      isNumber: true,
      width: 110,
      value: (row) => row.copies,
      render: (row) => format.count(row.copies),
    },
    {
      id: 'sites',
      title: text('compliance.sites'),
      isNumber: true,
      width: 190,
      value: (row) => row.sites,
      render: (row) => format.count(row.sites),
    },
    {
      id: 'sizeBytes',
      title: text('compliance.size'),
      sort: 'sizeBytes',
      isNumber: true,
      width: 120,
      value: (row) => row.sizeBytes,
      render: (row) => <Size bytes={row.sizeBytes} />,
    },
    {
      id: 'wastedBytes',
      title: text('compliance.wasted'),
      sort: 'wastedBytes',
      isNumber: true,
      width: 150,
      value: (row) => row.wastedBytes,
      render: (row) => <Size bytes={row.wastedBytes} />,
    },
    { id: 'uneven', title: text('compliance.uneven'), width: 180, value: uneven, render: uneven },
  ];
}

/** The same content in several places. */
export function DuplicatesReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns = useColumns();
  const [opened, setOpened] = useState<DuplicateRow | null>(null);
  const [site] = useReportChoice('site');
  const chosen = site === '' ? {} : { siteId: site };
  const sums = useQuery(read(compliance.duplicates, { params: { tenantId }, query: { ...chosen, limit: 1 }, quiet: true }));
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.duplicates, {
      params: { tenantId },
      query: { ...query, ...chosen } as QueryFor<typeof compliance.duplicates>,
      quiet: true,
    });
  return (
    <Stack>
      <Row>
        <SiteChoice tenantId={tenantId} />
      </Row>
      {sums.data !== undefined && (
        <Text role="status" weight="semibold">
          {text('compliance.duplicateTotals', {
            copies: format.count(sums.data.totals.copies),
            size: format.bytes(sums.data.totals.wastedBytes),
          })}
        </Text>
      )}
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
