import { periodReportKinds, periodReports } from '@holdfast/contract/period-reports';
import type { PeriodReport } from '@holdfast/contract/period-reports';
import type { QueryFor } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Filter, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PeriodReportForm } from './period-report-form.tsx';

export interface PeriodReportListProps {
  readonly tenantId: string;
  readonly onOpen: (reportId: string) => void;
}

/** Reports of months and other periods, the newest first. */
export function PeriodReportList({ tenantId, onOpen }: PeriodReportListProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayMake = useMay('jobs.run');
  const [isMaking, setMaking] = useState(false);
  const { words, moment } = useColumnKinds<PeriodReport>();
  const kindOf = (kind: PeriodReport['kind']): string => text(`periodReports.${kind}`);
  const columns = [
    words({ id: 'number', title: text('periodReports.number'), sort: 'reportNumber', width: 150 }, (row) => String(row.reportNumber)),
    words({ id: 'kind', title: text('periodReports.type'), width: 170 }, (row) => kindOf(row.kind)),
    // The last day is the one before the moment at which the period ends.
    words({ id: 'period', title: text('periodReports.span'), sort: 'from', width: 260 }, (row) =>
      text('periodReports.period', { from: format.date(row.from), to: format.date(new Date(Date.parse(row.to) - 1).toISOString()) }),
    ),
    moment({ id: 'madeAt', title: text('periodReports.madeAt'), sort: 'madeAt', width: 170 }, (row) => row.madeAt),
    words({ id: 'maker', title: text('periodReports.maker'), width: 240 }, (row) => row.maker ?? text('periodReports.automatic')),
  ];
  const byKind: Filter = {
    id: 'kind',
    label: text('periodReports.type'),
    choices: periodReportKinds.map((value) => ({ value, label: kindOf(value) })),
  };
  const page = ({ filters, search: _search, ...query }: PageQuery) =>
    read(periodReports.list, { params: { tenantId }, query: { ...filters, ...query } as QueryFor<typeof periodReports.list>, quiet: true });
  const create = { id: 'create', label: text('periodReports.create'), run: () => setMaking(true), isPrimary: true };
  return (
    <>
      <CommandBar commands={mayMake ? [create] : []} />
      <DataTable
        id="period-reports"
        label={text('periodReports.periodTab')}
        columns={columns}
        filters={[byKind]}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.reportId}
        rowName={(row) => `${kindOf(row.kind)} ${row.reportNumber}`}
        onOpen={(row) => onOpen(row.reportId)}
        empty={<EmptyState text={text('periodReports.pageEmpty')} />}
      />
      {isMaking && <PeriodReportForm tenantId={tenantId} onClose={() => setMaking(false)} onMade={(made) => onOpen(made.reportId)} />}
    </>
  );
}
