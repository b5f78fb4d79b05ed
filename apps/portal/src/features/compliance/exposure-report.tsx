import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { audiences, type ExposureRow } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { useFileColumns } from './file-column.tsx';
import { ScopeChoices, useReportScope } from './report-scope.tsx';
import { ReportTop } from './report-top.tsx';
import { ReportTotals } from './report-totals.tsx';
import { useRoleText } from './use-role-text.ts';

function useColumns(): readonly Column<ExposureRow>[] {
  const text = useText();
  const format = useFormat();
  const { words } = useColumnKinds<ExposureRow>();
  const roleText = useRoleText();
  return [
    ...useFileColumns<ExposureRow>({ name: 'name' }),
    words({ id: 'audience', title: text('compliance.audience'), sort: 'audience', width: 200 }, (row) =>
      text(`compliance.audiences.${row.audience}`),
    ),
    words({ id: 'who', title: text('compliance.sharedWith'), width: 200 }, (row) => row.who),
    words({ id: 'role', title: text('compliance.role'), width: 120 }, (row) => roleText(row.role)),
    words({ id: 'expiresAt', title: text('compliance.expires'), sort: 'expiresAt', width: 130 }, (row) =>
      row.expiresAt === null ? text('compliance.never') : format.date(row.expiresAt),
    ),
  ];
}

/** Links for anyone and for the organization, and rights of guests. */
export function ExposureReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns = useColumns();
  const chosen = useReportScope();
  const sums = useQuery(read(compliance.exposure, { params: { tenantId }, query: { ...chosen, limit: 1 }, quiet: true }));
  const filters: readonly Filter[] = [
    {
      id: 'audience',
      label: text('compliance.audience'),
      choices: audiences.map((value) => ({ value, label: text(`compliance.audiences.${value}`) })),
    },
    { id: 'endless', label: text('compliance.expiry'), choices: [{ value: 'true', label: text('compliance.onlyEndless') }] },
  ];
  const page = ({ filters: narrowed, ...query }: PageQuery) =>
    read(compliance.exposure, {
      params: { tenantId },
      query: { ...narrowed, ...query, ...chosen } as QueryFor<typeof compliance.exposure>,
      quiet: true,
    });
  return (
    <Stack>
      <Row>
        <ScopeChoices tenantId={tenantId} />
      </Row>
      <ReportTotals words={sums.data && text('compliance.exposureTotals', sums.data.totals)} />
      <ReportTop
        title={text('compliance.topExposure')}
        bars={audiences
          .map((audience) => ({
            id: audience,
            name: text(`compliance.audiences.${audience}`),
            value: sums.data?.totals[audience] ?? 0,
            words: format.count(sums.data?.totals[audience] ?? 0),
          }))
          .toSorted((one, other) => other.value - one.value)}
      />
      <DataTable
        id="exposure"
        label={text('compliance.exposureTab')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.sourceId} ${row.nodeId} ${row.audience} ${row.who} ${row.role} ${row.expiresAt ?? ''}`}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('compliance.noExposure')} />}
      />
    </Stack>
  );
}
