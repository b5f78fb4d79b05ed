import { printedReports } from '@holdfast/contract/printed-reports';
import { listedStates, reporting } from '@holdfast/contract/reporting';
import type { CoverageReason } from '@holdfast/contract/reporting';
import type { QueryFor } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';
import { read, useDownload } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Address } from '../../ui/address.tsx';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { NarrowedByLink } from '../../ui/narrowed-by-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;

export interface CoverageReportProps {
  readonly tenantId: string;
  readonly workload: (typeof workloads)[number] | null;
}

/** What links of figures leave out of the list. */
const narrowings = ['wholeOnly', 'countedOnly'] as const;

/** Lists everything that is not protected, with the reason; the filter by state lists protected resources too. */
export function CoverageReport({ tenantId, workload }: CoverageReportProps): ReactElement {
  const text = useText();
  const nameOf = (row: CoverageReason): string => row.name || text('reports.everyOne');
  const columns = useCoverageColumns(nameOf);
  const byWorkload: Filter = {
    id: 'workload',
    label: text('common.workload'),
    choices: workloads.map((value) => ({ value, label: text(`common.${value}`) })),
  };
  const byState: Filter = {
    id: 'state',
    label: text('reports.state'),
    choices: listedStates.map((value) => ({ value, label: text(`status.${value}`) })),
  };
  const [params] = useSearchParams();
  const narrowed = Object.fromEntries(narrowings.filter((name) => params.get(name) === 'true').map((name) => [name, 'true']));
  const page = ({ filters, ...query }: PageQuery) => {
    const given = { ...narrowed, ...(workload === null ? {} : { workload }), ...filters, ...query };
    return read(reporting.protection, { params: { tenantId }, query: given as QueryFor<typeof reporting.protection>, quiet: true });
  };
  return (
    <>
      <ProtectionPdf tenantId={tenantId} />
      {Object.keys(narrowed).length > 0 && <NarrowedByLink text={text('reports.wholeOnly')} names={narrowings} />}
      <DataTable
        id="coverage"
        label={text('reports.coverageTab')}
        columns={columns}
        filters={workload === null ? [byWorkload, byState] : [byState]}
        source={{ kind: 'pages', page }}
        rowKey={(row) => `${row.workload} ${row.graphId} ${row.reason} ${row.path}`}
        rowName={nameOf}
        empty={<EmptyState text={text('reports.nothing')} />}
      />
    </>
  );
}

function useCoverageColumns(nameOf: (row: CoverageReason) => string): readonly Column<CoverageReason>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  // Protected resources have no reason.
  const reasonOf = ({ reason }: CoverageReason): string => (reason === '' ? '' : codeText(reason));
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 200, value: nameOf, render: nameOf },
    {
      id: 'address',
      title: text('jobs.address'),
      sort: 'address',
      width: 240,
      value: (row) => row.address,
      render: (row) => <Address value={row.address || '–'} />,
    },
    { id: 'path', title: text('monitoring.path'), sort: 'path', width: 150, value: (row) => row.path, render: (row) => row.path || '–' },
    {
      id: 'workload',
      title: text('common.workload'),
      sort: 'workload',
      width: 125,
      value: (row) => text(`common.${row.workload}`),
      render: (row) => text(`common.${row.workload}`),
    },
    {
      id: 'state',
      title: text('reports.state'),
      sort: 'state',
      width: 205,
      value: (row) => text(`status.${row.state}`),
      render: (row) => <StatusBadge status={row.state} />,
    },
    {
      id: 'reason',
      title: text('reports.reason'),
      sort: 'reason',
      width: 290,
      value: reasonOf,
      render: (row) => reasonOf(row) || '–',
    },
    {
      id: 'since',
      title: text('reports.since'),
      sort: 'since',
      width: 130,
      value: (row) => format.iso(row.since),
      render: (row) => <Moment at={row.since} />,
    },
  ];
}

/** How well everybody is protected, as a PDF file. */
function ProtectionPdf({ tenantId }: Pick<CoverageReportProps, 'tenantId'>): ReactElement {
  const text = useText();
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  const download = useDownload(printedReports.protection);
  const print = (): void => download.mutate({ params: { tenantId }, query: { language } });
  return <CommandBar commands={[{ id: 'pdf', label: text('periodReports.protectionPdf'), run: print }]} />;
}
