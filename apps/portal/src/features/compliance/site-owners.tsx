import { Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import { siteOwnerStates, type SiteOwnersRow } from '@holdfast/contract/compliance-values';
import type { QueryFor } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useReportScope } from './report-scope.tsx';
import { ReportTotals } from './report-totals.tsx';

function useColumns(): readonly Column<SiteOwnersRow>[] {
  const text = useText();
  const { words, count, size } = useColumnKinds<SiteOwnersRow>();
  const owners = (row: SiteOwnersRow): string =>
    row.owners.map(({ name, isBlocked }) => (isBlocked ? text('compliance.blockedOwner', { name }) : name)).join(', ');
  return [
    words({ id: 'name', title: text('compliance.site'), sort: 'name', width: 220 }, (row) => row.name),
    words({ id: 'state', title: text('common.status'), width: 170 }, (row) => text(`compliance.siteOwnerStates.${row.state}`)),
    words({ id: 'owners', title: text('compliance.siteOwnersColumn'), width: 300 }, (row) =>
      row.gap === null ? owners(row) : text(`compliance.ownershipGaps.${row.gap}`),
    ),
    words({ id: 'group', title: text('compliance.groupOfSite'), width: 180 }, (row) => row.group ?? ''),
    count({ id: 'files', title: text('compliance.files'), sort: 'files', width: 110 }, (row) => row.files),
    size({ id: 'bytes', title: text('compliance.size'), sort: 'bytes', width: 120 }, (row) => row.bytes),
    words({ id: 'url', title: text('jobs.address'), width: 260, isExtra: true }, (row) => row.url),
  ];
}

/** Sites and who owns them: those that nobody owns, or all. */
export function SiteOwners({ tenantId, isOwnerless }: { readonly tenantId: string; readonly isOwnerless: boolean }): ReactElement {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const columns = useColumns();
  const scope = useReportScope();
  const sums = useQuery(read(compliance.siteOwners, { params: { tenantId }, query: { ...scope, limit: 1 }, quiet: true }));
  const byState: Filter = {
    id: 'state',
    label: text('common.status'),
    choices: siteOwnerStates.map((value) => ({ value, label: text(`compliance.siteOwnerStates.${value}`) })),
  };
  const only = isOwnerless ? { ownerless: 'true' } : {};
  const page = ({ filters: narrowed, ...query }: PageQuery) =>
    read(compliance.siteOwners, {
      params: { tenantId },
      query: { ...narrowed, ...query, ...scope, ...only } as QueryFor<typeof compliance.siteOwners>,
      quiet: true,
    });
  const { none = 0, blocked = 0, owned = 0, unknown = 0 } = sums.data?.totals ?? {};
  const counted = { none: format.count(none), blocked: format.count(blocked), owned: format.count(owned), unknown: format.count(unknown) };
  return (
    <>
      <ReportTotals words={sums.data && text('compliance.siteOwnerTotals', counted)} />
      <Text>{text('compliance.siteOwnersHint')}</Text>
      <DataTable
        id="site-owners"
        label={text(isOwnerless ? 'compliance.ownerlessSites' : 'compliance.sitesByOwner')}
        columns={columns}
        filters={isOwnerless ? [] : [byState]}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.sourceId}
        rowName={(row) => row.name}
        onOpen={({ locationId, sourceId }) =>
          void navigate(`/compliance?${new URLSearchParams({ location: locationId, source: sourceId }).toString()}`)
        }
        empty={<EmptyState text={text(isOwnerless ? 'compliance.noOwnerlessSites' : 'compliance.noSites')} />}
      />
    </>
  );
}
