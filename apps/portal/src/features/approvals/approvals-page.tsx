import { approvals, approvalStatuses } from '@holdfast/contract/approvals';
import type { Approval } from '@holdfast/contract/approvals';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { useApprovalWords } from './approval-words.ts';
import { ApproverHints } from './approver-hints.tsx';

/** `/configuration/approvals`: what waits for a second person, and what was decided. */
export default function ApprovalsPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.approvals')} lead={text('approvals.lead')}>
      <WithTenant>{(tenant) => <ApprovalList tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function ApprovalList({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const detail = useDetail('/configuration/approvals');
  const list = useQuery(read(approvals.list, { params: { tenantId }, quiet: true }));
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'status',
      label: text('common.status'),
      choices: approvalStatuses.map((value) => ({ value, label: text(`approvals.${value}`) })),
    },
  ];
  const open = list.data?.items.find((one) => one.approvalId === detail.id);
  return (
    <>
      {list.data !== undefined && <ApproverHints approvers={list.data.approvers} delayFrom={list.data.delayFrom} />}
      <DataTable
        id="approvals"
        label={text('shell.approvals')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.approvalId}
        rowName={(one) => one.subjectName}
        onOpen={(one) => detail.view(one.approvalId)}
        empty={<EmptyState text={text('approvals.empty')} />}
      />
      {detail.mode === 'view' && open !== undefined && <ApprovalDetails tenantId={tenantId} approval={open} onClose={detail.close} />}
      <MissingDetail detail={detail} ids={list.data?.items.map((one) => one.approvalId)} />
    </>
  );
}

function useColumns(): readonly Column<Approval>[] {
  const text = useText();
  const format = useFormat();
  const words = useApprovalWords();
  return [
    {
      id: 'subject',
      title: text('approvals.subject'),
      sort: 'subject',
      width: 220,
      value: (row) => row.subjectName,
      render: (row) => row.subjectName,
    },
    { id: 'kind', title: text('approvals.kind'), sort: 'kind', value: words.kind, render: words.kind },
    {
      id: 'status',
      title: text('common.status'),
      sort: 'status',
      value: (row) => text(`approvals.${row.status}`),
      render: (row) => text(`approvals.${row.status}`),
    },
    { id: 'waitsFor', title: text('approvals.waitsFor'), width: 240, value: words.waitsFor, render: words.waitsFor },
    {
      id: 'requester',
      title: text('approvals.requester'),
      sort: 'requester',
      width: 220,
      value: (row) => row.requester,
      render: (row) => row.requester,
    },
    {
      id: 'requestedAt',
      title: text('approvals.requestedAt'),
      sort: 'requestedAt',
      value: (row) => format.iso(row.requestedAt),
      render: (row) => <Moment at={row.requestedAt} />,
    },
  ];
}
