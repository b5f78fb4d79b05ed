import { Button, Subtitle2 } from '@fluentui/react-components';
import { useMay } from '../../api/portal-context.ts';
import { discovery } from '@holdfast/contract/discovery';
import type { Source } from '@holdfast/contract/discovery';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { HoldForm } from '../holds/index.ts';
import { LocationChoice, useLocations } from '../tenants/index.ts';
import { RecentRestores } from './recent-restores.tsx';

export interface SourceStepProps {
  readonly tenantId: string;
  readonly onChoose: (locationId: string, source: Source) => void;
}

/** Whose data: every source that a location holds restore points of, also those gone from Microsoft 365. */
export function SourceStep({ tenantId, onChoose }: SourceStepProps): ReactElement {
  const text = useText();
  const { data } = useLocations(tenantId);
  const [chosen, setChosen] = useState<string | null>(null);
  const locations = data?.items ?? [];
  // Until somebody chooses: a location that has something to give back, if there is one.
  const location = locations.find((one) => one.locationId === chosen) ?? locations.find((one) => one.restorePoints > 0) ?? locations[0];
  if (location === undefined) return data === undefined ? <LoadingShape rows={6} /> : <NoPoint />;
  return (
    <Stack loose>
      <LocationChoice locations={locations} chosen={location} onChoose={setChosen} />
      <SourceTable
        key={location.locationId}
        tenantId={tenantId}
        locationId={location.locationId}
        onChoose={(source) => onChoose(location.locationId, source)}
      />
      <Subtitle2 as="h2">{text('restore.recent')}</Subtitle2>
      <RecentRestores tenantId={tenantId} />
    </Stack>
  );
}

function NoPoint(): ReactElement {
  const text = useText();
  return (
    <EmptyState
      text={text('restore.empty')}
      action={<RouterLink to="/backup-and-restore/backup-jobs">{text('restore.emptyAction')}</RouterLink>}
    />
  );
}

interface SourceTableProps {
  readonly tenantId: string;
  readonly locationId: string;
  readonly onChoose: (source: Source) => void;
}

function SourceTable({ tenantId, locationId, onChoose }: SourceTableProps): ReactElement {
  const text = useText();
  const columns = useColumns();
  const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;
  const filters: readonly Filter[] = [
    { id: 'workload', label: text('common.workload'), choices: workloads.map((value) => ({ value, label: text(`common.${value}`) })) },
    { id: 'deleted', label: text('restore.state'), choices: [{ value: 'true', label: text('restore.onlyDeleted') }] },
  ];
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(discovery.sources, { params: { tenantId, locationId }, query: { ...chosen, ...query } as never, quiet: true });
  const [toHold, setToHold] = useState<Source | null>(null);
  const mayHold = useMay('deletion.manage');
  const holdCommand = (rows: readonly Source[]): ReactElement => (
    <Button disabledFocusable={rows.length !== 1} onClick={() => setToHold(rows[0] ?? null)}>
      {text('holds.placeOn')}
    </Button>
  );
  const table = (
    <DataTable
      id="restore-sources"
      label={text('restore.sources')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page }}
      rowKey={(source) => source.sourceId}
      rowName={(source) => source.name}
      onOpen={onChoose}
      {...(mayHold ? { selectionCommands: holdCommand } : {})}
      empty={<NoPoint />}
    />
  );
  return (
    <>
      {table}
      {toHold !== null && <HoldForm tenantId={tenantId} resource={toHold} onClose={() => setToHold(null)} />}
    </>
  );
}

function useColumns(): readonly Column<Source>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const gone = (row: Source): string => (row.deletedAt === null ? '' : text('restore.deletedOn', { date: format.date(row.deletedAt) }));
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 210, value: (row) => row.name, render: (row) => row.name },
    {
      id: 'address',
      title: text('jobs.address'),
      width: 300,
      value: (row) => row.address,
      render: (row) => <Address value={row.address || '–'} />,
    },
    { id: 'kind', title: text('restore.kind'), value: (row) => codeText(row.kind), render: (row) => codeText(row.kind) },
    {
      id: 'newest',
      title: text('restore.newest'),
      sort: 'newestPointAt',
      width: 160,
      value: (row) => format.iso(row.newestPointAt),
      render: (row) => <Moment at={row.newestPointAt} />,
    },
    {
      id: 'oldest',
      title: text('restore.oldest'),
      isExtra: true,
      value: (row) => format.iso(row.oldestPointAt),
      render: (row) => <Moment at={row.oldestPointAt} />,
    },
    {
      id: 'points',
      title: text('restore.points'),
      isNumber: true,
      width: 105,
      value: (row) => row.points,
      render: (row) => format.count(row.points),
    },
    {
      id: 'items',
      title: text('restore.items'),
      sort: 'items',
      isNumber: true,
      value: (row) => row.items,
      render: (row) => format.count(row.items),
    },
    {
      id: 'bytes',
      title: text('restore.size'),
      sort: 'bytes',
      isNumber: true,
      value: (row) => row.bytes,
      render: (row) => <Size bytes={row.bytes} />,
    },
    {
      id: 'gone',
      title: text('restore.state'),
      value: (row) => [row.isHeld ? text('status.onHold') : '', gone(row)].filter((part) => part !== '').join(', '),
      render: (row) => (row.isHeld ? <StatusBadge status="onHold" detail={gone(row)} /> : gone(row) || '–'),
    },
  ];
}
