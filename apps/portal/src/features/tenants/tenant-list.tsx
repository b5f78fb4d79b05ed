import { AddRegular } from '@fluentui/react-icons';
import type { Tenant } from '@holdfast/contract/tenants';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { FirstStep } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import type { Detail } from '../../ui/use-detail.ts';
import { TenantDetails } from './tenant-details.tsx';
import { TaskProgress } from './task-progress.tsx';
import { TenantForm } from './tenant-form.tsx';
import { tenantStatus } from './tenant-status.ts';
import { useTenants } from './tenants.queries.ts';

/** The connected tenants, with details, connection and editing in a drawer. */
export function TenantList(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('tenants.manage');
  const detail = useDetail('/configuration/tenants');
  const { data, error, refetch } = useTenants();
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'active',
      label: text('tenants.activity'),
      choices: (['active', 'inactive'] as const).map((value) => ({ value, label: text(`status.${value}`) })),
    },
  ];
  const begin = (): void => void navigate('/configuration/connect');
  const commands = [
    { id: 'connect', label: text('tenants.connect'), icon: <AddRegular />, run: begin, isPrimary: true },
    { id: 'by-hand', label: text('setups.enterByHand'), run: detail.create },
  ];
  return (
    <>
      {mayManage && <CommandBar commands={commands} />}
      <DataTable
        id="tenants"
        label={text('tenants.tenantsTab')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: data?.items, error, retry: () => void refetch() }}
        rowKey={(tenant) => tenant.tenantId}
        rowName={(tenant) => tenant.name}
        onOpen={(tenant) => detail.view(tenant.tenantId)}
        empty={<FirstStep text={text('tenants.empty')} label={text('tenants.connect')} may={mayManage} onClick={begin} />}
      />
      <Drawers detail={detail} items={data?.items} mayManage={mayManage} />
    </>
  );
}

interface DrawersProps {
  readonly detail: Detail;
  readonly items: readonly Tenant[] | undefined;
  readonly mayManage: boolean;
}

/** What of the list is open. */
function Drawers({ detail, items, mayManage }: DrawersProps): ReactElement {
  const open = items?.find((tenant) => tenant.tenantId === detail.id) ?? null;
  return (
    <>
      {detail.mode === 'new' && mayManage && <TenantForm tenant={null} onClose={detail.close} />}
      {detail.mode === 'edit' && open !== null && mayManage && <TenantForm tenant={open} onClose={detail.close} />}
      {detail.mode === 'view' && open !== null && (
        <TenantDetails tenant={open} onEdit={() => detail.edit(open.tenantId)} onClose={detail.close} />
      )}
      <MissingDetail detail={detail} ids={items?.map((tenant) => tenant.tenantId)} />
    </>
  );
}

function useColumns(): readonly Column<Tenant>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'name', title: text('common.name'), sort: 'name', value: (row) => row.name, render: (row) => row.name },
    {
      id: 'displayName',
      title: text('tenants.displayName'),
      sort: 'displayName',
      value: (row) => row.displayName,
      render: (row) => row.displayName || '–',
    },
    {
      id: 'status',
      title: text('tenants.state'),
      sort: 'status',
      width: 170,
      value: (row) => text(`status.${tenantStatus(row)}`),
      render: (row) => (
        <>
          <StatusBadge status={tenantStatus(row)} />
          {row.taskId !== null && <TaskProgress tenantId={row.tenantId} taskId={row.taskId} />}
        </>
      ),
    },
    {
      id: 'active',
      title: text('tenants.activity'),
      sort: 'active',
      value: (row) => text(row.active ? 'status.active' : 'status.inactive'),
      render: (row) => <StatusBadge status={row.active ? 'active' : 'inactive'} />,
    },
    {
      id: 'tenantId',
      title: text('tenants.microsoftTenantId'),
      width: 300,
      value: (row) => row.microsoftTenantId,
      render: (row) => row.microsoftTenantId,
    },
    {
      id: 'clientId',
      title: text('tenants.clientId'),
      isExtra: true,
      width: 300,
      value: (row) => row.clientId,
      render: (row) => row.clientId,
    },
    {
      id: 'lastCheckedAt',
      title: text('tenants.lastChecked'),
      sort: 'lastCheckedAt',
      value: (row) => format.iso(row.lastCheckedAt),
      render: (row) => <Moment at={row.lastCheckedAt} />,
    },
  ];
}
