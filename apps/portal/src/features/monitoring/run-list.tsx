import { jobs } from '@holdfast/contract/jobs';
import { monitoring } from '@holdfast/contract/monitoring';
import type { Run } from '@holdfast/contract/monitoring';
import type { QueryFor } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useStore } from '../../api/store.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { queryOf, type RunArea } from './run-area.ts';
import { useRunColumns, useRunFilters } from './run-columns.tsx';
import { useRunNews } from './run-news.ts';
import { StopRun } from './stop-run.tsx';

const livePollMs = 15_000;
const lostPollMs = 5_000;

export interface RunListProps {
  readonly tenantId: string;
  readonly label: string;
  readonly area: RunArea;
  readonly onOpen: (reportId: string) => void;
}

/** Running and recent runs, newest first. */
export function RunList({ tenantId, label, area, onOpen }: RunListProps): ReactElement {
  const text = useText();
  const live = useStore(usePortal().live);
  const [stopping, setStopping] = useState<Run | null>(null);
  const columns = useRunColumns(setStopping);
  const news = useRunNews();
  const filters = useRunFilters(area);
  const page = ({ filters: chosen, ...query }: PageQuery) => {
    const given = { ...queryOf(area), ...chosen, ...query } as QueryFor<typeof monitoring.list>;
    return read(monitoring.list, { params: { tenantId }, query: given, quiet: true, background: true });
  };
  return (
    <>
      <DataTable
        id={area.tableId}
        label={label}
        columns={columns}
        filters={filters}
        source={{ kind: 'pages', page, refetchMs: live === 'connected' ? livePollMs : lostPollMs }}
        rowKey={(run) => run.reportId}
        rowName={(run) => run.jobName}
        news={news}
        onOpen={(run) => onOpen(run.reportId)}
        empty={area.empty === undefined ? <NothingRuns tenantId={tenantId} /> : <EmptyState text={text(area.empty)} />}
      />
      {stopping !== null && <StopRun tenantId={tenantId} run={stopping} onClose={() => setStopping(null)} />}
    </>
  );
}

/** Nothing runs: what will run next. */
function NothingRuns({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const next = useQuery(read(jobs.list, { params: { tenantId }, query: { limit: 3, sort: 'nextRun' }, quiet: true }));
  const runs = (next.data?.items ?? []).filter((job) => job.nextRun !== null).map((job) => `${job.name} (${format.dateTime(job.nextRun)})`);
  const words =
    runs.length === 0 ? text('monitoring.empty') : `${text('monitoring.empty')} ${text('monitoring.nextRuns', { runs: runs.join(', ') })}`;
  return <EmptyState text={words} />;
}
