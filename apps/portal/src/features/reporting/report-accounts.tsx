import { accountsQuery } from '@holdfast/contract/monitoring';
import { reporting } from '@holdfast/contract/reporting';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useAccountColumns, useAccountFilters } from '../monitoring/index.ts';

export interface ReportAccountsProps {
  readonly tenantId: string;
  readonly reportId: string;
  /** The page of its run; null for a month, which has none. */
  readonly monitor: string | null;
  readonly onClose: () => void;
}

/** The accounts of a report, of a month or of a run. */
export function ReportAccounts({ tenantId, reportId, monitor, onClose }: ReportAccountsProps): ReactElement {
  const text = useText();
  const columns = useAccountColumns();
  const filters = useAccountFilters();
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(reporting.accounts, { params: { tenantId, reportId }, query: accountsQuery.parse({ ...chosen, ...query }), quiet: true });
  return (
    <DetailDrawer title={text('reports.accounts')} isWide onClose={onClose}>
      {monitor !== null && <RouterLink to={`${monitor}/${reportId}`}>{text('jobs.openRun')}</RouterLink>}
      <DataTable
        id="report-accounts"
        prefix="a-"
        label={text('reports.accounts')}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.accountId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('monitoring.noAccounts')} />}
      />
    </DetailDrawer>
  );
}
