import { reporting } from '@holdfast/contract/reporting';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Filter } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NarrowedByLink } from '../../ui/narrowed-by-link.tsx';
import { usePeriodOfLink, usePeriodWords } from '../../ui/period-of-link.ts';
import { useEvidenceColumns } from './use-evidence-columns.tsx';

/** Verifications and restore drills, newest first. */
export function EvidenceReport({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const columns = useEvidenceColumns();
  const period = usePeriodOfLink();
  const periodWords = usePeriodWords();
  const evidence = useQuery(read(reporting.evidence, { params: { tenantId }, query: period ?? {}, quiet: true }));
  const filters: readonly Filter[] = [
    {
      id: 'kind',
      label: text('reports.kind'),
      choices: (['verify', 'drill'] as const).map((value) => ({ value, label: text(`reports.${value}`) })),
    },
    {
      id: 'state',
      label: text('reports.state'),
      choices: (['verified', 'overdue', 'deviation'] as const).map((value) => ({ value, label: text(`status.${value}`) })),
    },
  ];
  return (
    <>
      {period !== null && <NarrowedByLink text={text('periodReports.period', periodWords(period))} names={['from', 'to']} />}
      <DataTable
        id="evidence"
        label={text('reports.evidenceTab')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: evidence.data?.items, error: evidence.error, retry: () => void evidence.refetch() }}
        rowKey={(row) => row.runId}
        rowName={(row) => format.dateTime(row.at)}
        onOpen={(row) => void navigate(`/backup-and-restore/job-monitor/${row.runId}`)}
        empty={<EmptyState text={text('reports.noEvidence')} />}
      />
    </>
  );
}
