import { traitsOf, type JobType } from '@holdfast/contract/jobs';
import { accountsQuery, monitoring } from '@holdfast/contract/monitoring';
import type { RunAccount } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const pollMs = 5_000;
const statuses = ['pending', 'running', 'successful', 'defective', 'failed', 'unprotected', 'excluded', 'cancelled'] as const;

/** The columns of the resources of a run or report; a run that gathers says of each where it was read. */
export function useAccountColumns(type?: JobType): readonly Column<RunAccount>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const origin = ({ readFrom }: RunAccount): string => (readFrom === null ? '' : text(`monitoring.readFrom.${readFrom}`));
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 220, value: (row) => row.name, render: (row) => row.name },
    {
      id: 'address',
      title: text('jobs.address'),
      width: 240,
      value: (row) => row.address,
      render: (row) => <Address value={row.address} />,
    },
    { id: 'kind', title: text('monitoring.kind'), value: (row) => codeText(row.kind), render: (row) => codeText(row.kind) },
    ...(type !== undefined && traitsOf(type).gathers === true
      ? [{ id: 'readFrom', title: text('monitoring.readFrom.title'), width: 150, value: origin, render: origin }]
      : []),
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      width: 165,
      value: (row) => text(`status.${row.status}`),
      render: (row) => <StatusBadge status={row.status} detail={row.code === null ? undefined : codeText(row.code)} />,
    },
    {
      id: 'items',
      title: text('monitoring.items'),
      sort: 'items',
      isNumber: true,
      value: (row) => row.items,
      render: (row) => format.count(row.items),
    },
    {
      id: 'bytes',
      title: text('monitoring.bytes'),
      sort: 'bytes',
      isNumber: true,
      value: (row) => row.bytes,
      render: (row) => <Size bytes={row.bytes} />,
    },
    {
      id: 'errors',
      title: text('monitoring.errors'),
      sort: 'errors',
      isNumber: true,
      value: (row) => row.errors,
      render: (row) => format.count(row.errors),
    },
  ];
}

/** Filter by the state of a resource. */
export function useAccountFilters(): readonly Filter[] {
  const text = useText();
  return [{ id: 'status', label: text('common.status'), choices: statuses.map((value) => ({ value, label: text(`status.${value}`) })) }];
}

interface RunAccountsProps {
  readonly tenantId: string;
  readonly reportId: string;
  readonly type: JobType;
  readonly isLive: boolean;
}

/** Every resource of a run. */
export function RunAccounts({ tenantId, reportId, type, isLive }: RunAccountsProps): ReactElement {
  const text = useText();
  const columns = useAccountColumns(type);
  const filters = useAccountFilters();
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(monitoring.accounts, {
      params: { tenantId, reportId },
      query: accountsQuery.parse({ ...chosen, ...query }),
      quiet: true,
      background: true,
    });
  return (
    <DataTable
      id="run-accounts"
      prefix="a-"
      label={text('monitoring.accounts')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page, ...(isLive ? { refetchMs: pollMs } : {}) }}
      rowKey={(row) => row.accountId}
      rowName={(row) => row.name}
      empty={<EmptyState text={text('monitoring.noAccounts')} />}
    />
  );
}
