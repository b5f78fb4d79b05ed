import type { Approval } from '@holdfast/contract/approvals';

/** A deletion job that waits for a second person. */
export function anApproval(given: Partial<Approval> = {}): Approval {
  return {
    approvalId: '01900000-0000-7000-8000-0000000000aa',
    kind: 'deletionJob',
    status: 'waiting',
    subjectId: '01900000-0000-7000-8000-0000000000ab',
    subjectName: 'Tidy up',
    details: { workload: 'exchange', sources: 'everyone', rule: 'days', days: 30 },
    requester: 'ann@contoso.example',
    requestedAt: '2026-11-20T21:00:00.000Z',
    effectiveAt: null,
    lapsesAt: '2026-11-27T21:00:00.000Z',
    decider: null,
    decidedAt: null,
    decisionReason: null,
    mode: null,
    mayApprove: true,
    mayRefuse: true,
    mayWithdraw: false,
    mayDelay: false,
    obstacle: null,
    waitsFor: ['ben@contoso.example'],
    ...given,
  };
}
