import { isOpenApproval, needsSecondPerson, type Approval } from '@holdfast/contract/approvals';
import type { Approvers } from '../organisations/index.ts';
import { lapsesAt, mayDelay, mayRefuse, mayWithdraw, obstacleOf, secondPersons } from './approvals.policy.ts';
import type { ApprovalRow } from './approvals.store.ts';

/** What the policy asks about a stored request. */
export function requestOf(row: ApprovalRow) {
  return { status: row.status, requestedBy: row.requested_by, requestedAt: row.requested_at };
}

function obstacleView(row: ApprovalRow, accountId: string, approvers: Approvers): Approval['obstacle'] {
  const reader = approvers.people.find((person) => person.accountId === accountId);
  const reason = reader && mayRefuse(requestOf(row), accountId) ? obstacleOf(requestOf(row), reader, approvers) : null;
  return reason === null ? null : { reason, until: reason === 'tooNew' ? (reader?.until?.toISOString() ?? null) : null };
}

/** A request as one reader sees it. */
export function approvalView(row: ApprovalRow, accountId: string, approvers: Approvers, at: Date): Approval {
  const request = requestOf(row);
  const obstacle = obstacleView(row, accountId, approvers);
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
    lapsesAt: lapsesAt(request)?.toISOString() ?? null,
    decider: row.decider,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    mode: row.mode,
    mayApprove: mayRefuse(request, accountId) && obstacle === null,
    mayRefuse: mayRefuse(request, accountId),
    mayWithdraw: mayWithdraw(request, accountId),
    mayDelay: !needsSecondPerson(row) && mayDelay(request, accountId, approvers, at),
    obstacle,
    waitsFor: isOpenApproval(row) ? secondPersons(request, approvers).map(({ email }) => email) : [],
  };
}
