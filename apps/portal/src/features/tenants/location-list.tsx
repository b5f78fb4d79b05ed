import { AddRegular } from '@fluentui/react-icons';
import type { Location } from '@holdfast/contract/locations';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState, FirstStep } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import type { Detail } from '../../ui/use-detail.ts';
import { LocationDetails } from './location-details.tsx';
import { LocationForm } from './location-form.tsx';
import { placeOf, phraseOfUse } from './location-words.ts';
import { useLocations, useTenant } from './tenants.queries.ts';

/** The locations of the active tenant. */
export function LocationList(): ReactElement {
  const text = useText();
  const { tenant, isPending } = useTenant();
  if (tenant === null) {
    if (isPending) return <></>;
    return (
      <EmptyState
        text={text('tenants.needTenant')}
        action={<RouterLink to="/configuration/tenants">{text('tenants.tenantsTab')}</RouterLink>}
      />
    );
  }
  return <LocationsOf tenantId={tenant.tenantId} />;
}

function LocationsOf({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const mayManage = useMay('locations.manage');
  const detail = useDetail('/configuration/locations');
  const { data, error, refetch } = useLocations(tenantId);
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'kind',
      label: text('tenants.kind'),
      choices: (['filesystem', 's3'] as const).map((value) => ({ value, label: text(`tenants.${value}`) })),
    },
  ];
  const add = { id: 'add', label: text('tenants.newLocation'), icon: <AddRegular />, run: detail.create, isPrimary: true };
  return (
    <>
      {mayManage && <CommandBar commands={[add]} />}
      <DataTable
        id="locations"
        label={text('tenants.locationsTab')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: data?.items, error, retry: () => void refetch() }}
        rowKey={(location) => location.locationId}
        rowName={(location) => location.name}
        onOpen={(location) => detail.view(location.locationId)}
        empty={
          <FirstStep text={text('tenants.emptyLocations')} label={text('tenants.newLocation')} may={mayManage} onClick={detail.create} />
        }
      />
      <Drawers tenantId={tenantId} detail={detail} items={data?.items} mayManage={mayManage} />
    </>
  );
}

interface DrawersProps {
  readonly tenantId: string;
  readonly detail: Detail;
  readonly items: readonly Location[] | undefined;
  readonly mayManage: boolean;
}

/** What of the list is open. */
function Drawers({ tenantId, detail, items, mayManage }: DrawersProps): ReactElement {
  const open = items?.find((location) => location.locationId === detail.id) ?? null;
  return (
    <>
      {detail.mode === 'new' && mayManage && <LocationForm tenantId={tenantId} location={null} onClose={detail.close} />}
      {detail.mode === 'edit' && open !== null && mayManage && <LocationForm tenantId={tenantId} location={open} onClose={detail.close} />}
      {detail.mode === 'view' && open !== null && (
        <LocationDetails tenantId={tenantId} location={open} onEdit={() => detail.edit(open.locationId)} onClose={detail.close} />
      )}
      <MissingDetail detail={detail} ids={items?.map((location) => location.locationId)} />
    </>
  );
}

function useColumns(): readonly Column<Location>[] {
  const text = useText();
  const format = useFormat();
  const lock = (row: Location): string =>
    text(`tenants.lock${row.immutability.mode === 'none' ? 'None' : row.immutability.mode === 'governance' ? 'Governance' : 'Compliance'}`);
  return [
    { id: 'name', title: text('common.name'), sort: 'name', value: (row) => row.name, render: (row) => row.name },
    {
      id: 'kind',
      title: text('tenants.kind'),
      sort: 'kind',
      width: 130,
      value: (row) => text(`tenants.${row.kind}`),
      render: (row) => text(`tenants.${row.kind}`),
    },
    {
      id: 'use',
      title: text('tenants.use'),
      sort: 'use',
      width: 140,
      value: (row) => text(phraseOfUse[row.use]),
      render: (row) => text(phraseOfUse[row.use]),
    },
    { id: 'place', title: text('tenants.place'), width: 240, value: placeOf, render: placeOf },
    { id: 'lock', title: text('tenants.lock'), width: 175, value: lock, render: lock },
    {
      id: 'free',
      title: text('tenants.freeSpace'),
      width: 150,
      isNumber: true,
      value: (row) => row.lastTest?.freeBytes ?? null,
      render: (row) => <Size bytes={row.lastTest?.freeBytes ?? null} />,
    },
    {
      id: 'test',
      title: text('tenants.lastTest'),
      width: 170,
      value: (row) => format.iso(row.lastTest?.testedAt),
      render: (row) =>
        row.lastTest === null ? (
          '–'
        ) : (
          <Row>
            <StatusBadge status={row.lastTest.ok ? 'reachable' : 'unreachable'} />
            <Moment at={row.lastTest.testedAt} />
          </Row>
        ),
    },
  ];
}
