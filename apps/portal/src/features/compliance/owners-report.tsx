import { Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { OwnerRow } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Moment, Size } from '../../ui/moment.tsx';

/** People who are gone from Microsoft 365 and still own files there. */
export function OwnersReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const sums = useQuery(read(compliance.owners, { params: { tenantId }, query: { limit: 1 }, quiet: true }));
  const columns: readonly Column<OwnerRow>[] = [
    { id: 'name', title: text('compliance.owner'), sort: 'name', width: 220, value: (row) => row.name, render: (row) => row.name },
    {
      id: 'address',
      title: text('jobs.address'),
      width: 260,
      value: (row) => row.address,
      render: (row) => <Address value={row.address || '–'} />,
    },
    {
      id: 'goneSince',
      title: text('compliance.goneSince'),
      width: 190,
      value: (row) => format.iso(row.goneSince),
      render: (row) => <Moment at={row.goneSince} />,
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
      id: 'files',
      title: text('compliance.files'),
      sort: 'files',
      isNumber: true,
      width: 110,
      value: (row) => row.files,
      render: (row) => format.count(row.files),
    },
    {
      id: 'bytes',
      title: text('compliance.size'),
      sort: 'bytes',
      isNumber: true,
      width: 120,
      value: (row) => row.bytes,
      render: (row) => <Size bytes={row.bytes} />,
    },
  ];
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.owners, { params: { tenantId }, query: query as QueryFor<typeof compliance.owners>, quiet: true });
  return (
    <Stack>
      {sums.data !== undefined && (
        <Text role="status" weight="semibold">
          {text('compliance.ownerTotals', { files: format.count(sums.data.totals.files), size: format.bytes(sums.data.totals.bytes) })}
        </Text>
      )}
      <DataTable
        id="orphaned-owners"
        label={text('compliance.ownersTab')}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.ownerId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('compliance.noOwners')} />}
      />
    </Stack>
  );
}
