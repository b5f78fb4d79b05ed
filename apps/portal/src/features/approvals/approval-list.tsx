import { approvals, approvalStatuses } from '@holdfast/contract/approvals';
import type { Approval, ApprovalKind } from '@holdfast/contract/approvals';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { MissingDetail } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { useApprovalWords } from './approval-words.ts';
import { ApproverHints } from './approver-hints.tsx';

export interface ApprovalListProps {
  readonly tenantId: string;
  /** The page that shows the list; a request opens below it. */
  readonly base: string;
  /** The only kind listed; without it, every one. */
  readonly kind?: ApprovalKind;
}

/** Requests that wait for a second person, and those that were decided. */
export function ApprovalList({ tenantId, base, kind }: ApprovalListProps): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const list = useQuery(read(approvals.list, { params: { tenantId }, quiet: true }));
  const columns = useColumns();
  const filters: readonly Filter[] = [
    {
      id: 'status',
      label: text('common.status'),
      choices: approvalStatuses.map((value) => ({ value, label: text(`approvals.${value}`) })),
    },
  ];
  const rows = list.data?.items.filter((one) => kind === undefined || one.kind === kind);
  const open = rows?.find((one) => one.approvalId === detail.id);
  return (
    <>
      {list.data !== undefined && <ApproverHints approvers={list.data.approvers} delayFrom={list.data.delayFrom} />}
      <DataTable
        id="approvals"
        label={text('shell.approvals')}
        columns={columns}
        filters={filters}
        source={{ kind: 'list', rows, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.approvalId}
        rowName={(one) => one.subjectName}
        onOpen={(one) => detail.view(one.approvalId)}
        empty={<EmptyState text={text('approvals.empty')} />}
      />
      {detail.mode === 'view' && open !== undefined && <ApprovalDetails tenantId={tenantId} approval={open} onClose={detail.close} />}
      <MissingDetail detail={detail} ids={rows?.map((one) => one.approvalId)} />
    </>
  );
}

function useColumns(): readonly Column<Approval>[] {
  const text = useText();
  const said = useApprovalWords();
  const { words, moment } = useColumnKinds<Approval>();
  return [
    words({ id: 'subject', title: text('approvals.subject'), sort: 'subject', width: 220 }, (row) => row.subjectName),
    words({ id: 'kind', title: text('approvals.kind'), sort: 'kind' }, said.kind),
    words({ id: 'status', title: text('common.status'), sort: 'status' }, (row) => text(`approvals.${row.status}`)),
    words({ id: 'waitsFor', title: text('approvals.waitsFor'), width: 240 }, said.waitsFor),
    words({ id: 'requester', title: text('approvals.requester'), sort: 'requester', width: 220 }, (row) => row.requester),
    moment({ id: 'requestedAt', title: text('approvals.requestedAt'), sort: 'requestedAt' }, (row) => row.requestedAt),
  ];
}
