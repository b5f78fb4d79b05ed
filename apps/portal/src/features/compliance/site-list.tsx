import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import { staleFor, type ManagedSite } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { FirstStep } from '../../ui/empty-state.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** Names and places of a site or OneDrive. */
function useNameColumns(): readonly Column<ManagedSite>[] {
  const text = useText();
  const codeText = useCodeText();
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 220, value: (row) => row.name, render: (row) => row.name },
    { id: 'kind', title: text('compliance.kind'), width: 110, value: (row) => codeText(row.kind), render: (row) => codeText(row.kind) },
    {
      id: 'url',
      title: text('jobs.address'),
      isExtra: true,
      width: 280,
      value: (row) => row.url,
      render: (row) => <Address value={row.url || '–'} />,
    },
  ];
}

function useColumns(): readonly Column<ManagedSite>[] {
  const text = useText();
  const format = useFormat();
  const names = useNameColumns();
  const isKnown = (row: ManagedSite): boolean => row.scannedAt !== null;
  const counted = (id: 'files' | 'deleted' | 'duplicates' | 'exposed', title: string): Column<ManagedSite> => ({
    id,
    title,
    sort: id,
    isNumber: true,
    width: 125,
    value: (row) => (isKnown(row) ? row[id] : null),
    render: (row) => (isKnown(row) ? format.count(row[id]) : '–'),
  });
  const sized = (id: 'bytes' | 'versionBytes', title: string): Column<ManagedSite> => ({
    id,
    title,
    sort: id,
    isNumber: true,
    width: 130,
    value: (row) => (isKnown(row) ? row[id] : null),
    render: (row) => <Size bytes={isKnown(row) ? row[id] : null} />,
  });
  const gone = (row: ManagedSite): string =>
    row.deletedAt === null ? '' : text('restore.deletedOn', { date: format.date(row.deletedAt) });
  return [
    ...names,
    counted('files', text('compliance.files')),
    sized('bytes', text('compliance.size')),
    sized('versionBytes', text('compliance.earlierVersions')),
    counted('exposed', text('compliance.exposed')),
    counted('duplicates', text('compliance.duplicates')),
    { ...counted('deleted', text('compliance.deleted')), isExtra: true },
    {
      id: 'newestChangeAt',
      title: text('compliance.newestChange'),
      sort: 'newestChangeAt',
      width: 150,
      value: (row) => format.iso(row.newestChangeAt),
      render: (row) => <Moment at={row.newestChangeAt} />,
    },
    {
      id: 'state',
      title: text('compliance.state'),
      width: 150,
      value: (row) => [row.isHeld ? text('status.onHold') : '', gone(row)].filter((part) => part !== '').join(', '),
      render: (row) =>
        row.isHeld ? <StatusBadge status="onHold" detail={gone(row)} /> : gone(row) || (isKnown(row) ? '–' : text('compliance.notScanned')),
    },
  ];
}

function useFilters(): readonly Filter[] {
  const text = useText();
  const codeText = useCodeText();
  return [
    {
      id: 'kind',
      label: text('compliance.kind'),
      choices: (['site', 'drive'] as const).map((value) => ({ value, label: codeText(value) })),
    },
    {
      id: 'stale',
      label: text('compliance.stale'),
      choices: staleFor.map((value) => ({ value, label: text(`compliance.ages.${value}`) })),
    },
    { id: 'held', label: text('compliance.held'), choices: [{ value: 'true', label: text('status.onHold') }] },
  ];
}

export interface SiteListProps {
  readonly tenantId: string;
  readonly onOpen: (site: ManagedSite) => void;
}

/** Every site and OneDrive with restore points, and what the newest scan found in it. */
export function SiteList({ tenantId, onOpen }: SiteListProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('jobs.manage');
  const columns = useColumns();
  const filters = useFilters();
  const page = ({ filters: chosen, ...query }: PageQuery) =>
    read(compliance.sites, { params: { tenantId }, query: { ...chosen, ...query } as QueryFor<typeof compliance.sites>, quiet: true });
  return (
    <DataTable
      id="managed-sites"
      label={text('compliance.sites')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page }}
      rowKey={(row) => row.sourceId}
      rowName={(row) => row.name}
      onOpen={onOpen}
      empty={
        <FirstStep
          text={text('compliance.noSites')}
          label={text('compliance.createJob')}
          may={mayManage}
          onClick={() => void navigate('/backup-and-restore/backup-jobs/new')}
        />
      }
    />
  );
}
