import { workers } from '@holdfast/contract/workers';
import type { Worker } from '@holdfast/contract/workers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useChosenWorker, useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { JoinTokens } from './join-tokens.tsx';
import { WorkerDetails } from './worker-details.tsx';
import { WorkerForm } from './worker-form.tsx';

const refreshMs = 30_000;

/** `/configuration/workers`: who runs the jobs, whether they are alive, and how another one joins. */
export default function WorkersPage(): ReactElement {
  const text = useText();
  const chosen = useChosenWorker();
  const mayManage = useMay('workers.manage');
  const detail = useDetail('/configuration/workers');
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const list = useQuery({ ...read(workers.list, { query, quiet: true, background: true }), refetchInterval: refreshMs });
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'state',
      label: text('common.status'),
      choices: (['reachable', 'unreachable'] as const).map((value) => ({ value, label: text(`status.${value}`) })),
    },
  ];
  const open = list.data?.items.find((worker) => worker.workerId === detail.id) ?? null;
  return (
    <Page title={text('shell.workers')} lead={text('workers.lead')}>
      <DataTable
        id="workers"
        label={text('shell.workers')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(worker) => worker.workerId}
        rowName={(worker) => worker.name}
        onOpen={(worker) => detail.view(worker.workerId)}
        empty={<EmptyState text={text('signIn.noWorker')} />}
      />
      {mayManage && <JoinTokens query={query} />}
      {detail.mode === 'edit' && open !== null && mayManage && <WorkerForm worker={open} onClose={detail.close} />}
      {detail.mode === 'view' && open !== null && (
        <WorkerDetails worker={open} onEdit={() => detail.edit(open.workerId)} onClose={detail.close} />
      )}
      <MissingDetail detail={detail} ids={list.data?.items.map((worker) => worker.workerId)} />
    </Page>
  );
}

function useColumns(): readonly Column<Worker>[] {
  const text = useText();
  const format = useFormat();
  const stateOf = (row: Worker): 'reachable' | 'unreachable' => (row.isReachable ? 'reachable' : 'unreachable');
  return [
    { id: 'name', title: text('common.name'), sort: 'name', width: 180, value: (row) => row.name, render: (row) => row.name },
    {
      id: 'state',
      title: text('common.status'),
      sort: 'state',
      value: (row) => text(`status.${stateOf(row)}`),
      render: (row) => <StatusBadge status={stateOf(row)} />,
    },
    {
      id: 'lastSeenAt',
      title: text('workers.lastSeen'),
      sort: 'lastSeenAt',
      value: (row) => format.iso(row.lastSeenAt),
      render: (row) => <Moment at={row.lastSeenAt} />,
    },
    { id: 'ip', title: text('signIn.workerAddress'), sort: 'ip', value: (row) => row.ip, render: (row) => row.ip },
    {
      id: 'indexIp',
      title: text('signIn.workerIndex'),
      sort: 'indexIp',
      isExtra: true,
      value: (row) => row.indexIp,
      render: (row) => row.indexIp,
    },
    { id: 'version', title: text('signIn.workerVersion'), sort: 'version', value: (row) => row.version, render: (row) => row.version },
    {
      id: 'load',
      title: text('workers.load'),
      sort: 'load',
      isNumber: true,
      value: (row) => row.load,
      render: (row) => format.percent(row.load),
    },
    {
      id: 'runningRuns',
      title: text('workers.running'),
      sort: 'runningRuns',
      isNumber: true,
      value: (row) => row.runningRuns,
      render: (row) => format.count(row.runningRuns),
    },
  ];
}
