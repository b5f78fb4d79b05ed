import { isOpenApproval, type Approval } from '@holdfast/contract/approvals';
import { lapsesAt, mayDecide, mayDelay, mayWithdraw, secondPersons, type Entitled } from './approvals.policy.ts';
import type { ApprovalRow } from './approvals.store.ts';

/** A request as one reader sees it. */
export function approvalView(row: ApprovalRow, accountId: string, entitled: readonly Entitled[]): Approval {
  const request = { status: row.status, requestedBy: row.requested_by };
  return {
    approvalId: row.approval_id,
    kind: row.kind,
    status: row.status,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    details: row.details as Approval['details'],
    requester: row.requester,
    requestedAt: row.requested_at.toISOString(),
    effectiveAt: row.effective_at?.toISOString() ?? null,
    lapsesAt: lapsesAt({ status: row.status, requestedAt: row.requested_at })?.toISOString() ?? null,
    decider: row.decider,
    decidedAt: row.decided_at?.toISOString() ?? null,
    mode: row.mode,
    mayDecide: mayDecide(request, accountId),
    mayWithdraw: mayWithdraw(request, accountId),
    mayDelay: mayDelay(request, accountId, entitled),
    waitsFor: isOpenApproval(row) ? secondPersons(entitled, row.requested_by).map(({ email }) => email) : [],
  };
}
