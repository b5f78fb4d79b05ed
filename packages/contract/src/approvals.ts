import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

/** What one person alone can't bring about: it takes away what others rely on to be kept. */
export const approvalKinds = [
  'deletionJob',
  'shorterRetention',
  'holdRelease',
  'strictAccess',
  'openAccess',
  'exemptionEnd',
  'retentionPolicy',
  'retentionEnd',
  'messageDeletion',
  'privateAccess',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/** Kinds that nobody decides alone, however long they wait, and that are refused only with a reason. */
export const strictApprovalKinds = ['messageDeletion', 'privateAccess'] as const satisfies readonly ApprovalKind[];

export function isStrictApproval({ kind }: { readonly kind: ApprovalKind }): boolean {
  return strictApprovalKinds.some((strict) => strict === kind);
}

/** `waiting` for a second person, or `delayed` because there is none; the others are final. `expired`: nobody decided in time. */
export const approvalStatuses = ['waiting', 'delayed', 'approved', 'refused', 'withdrawn', 'superseded', 'expired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/** Somebody or something can still decide. */
export const openApprovalStatuses = ['waiting', 'delayed'] as const satisfies readonly ApprovalStatus[];

export function isOpenApproval({ status }: { readonly status: ApprovalStatus }): boolean {
  return openApprovalStatuses.some((open) => open === status);
}

/** Whether somebody may approve: `tooNew` until a time has passed, `unconfirmed` until another owner confirms them. */
export const approverStatuses = ['ready', 'tooNew', 'unconfirmed'] as const;
export type ApproverStatus = (typeof approverStatuses)[number];

/** Why somebody who approves other requests can't approve this one (yet). */
export const approvalObstacles = ['tooNew', 'unconfirmed', 'afterRequest', 'requesterGone', 'requesterYours'] as const;
export type ApprovalObstacle = (typeof approvalObstacles)[number];

export const approval = z.object({
  approvalId: id,
  kind: z.enum(approvalKinds),
  status: z.enum(approvalStatuses),
  /** The job, the location or the hold. */
  subjectId: id,
  subjectName: z.string(),
  /** What is asked for, by name: the rule of a job, the days of a location before and after. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  requester: z.string(),
  requestedAt: instant,
  /** When it comes into force by itself. */
  effectiveAt: instant.nullable(),
  /** When it lapses if nobody decides. */
  lapsesAt: instant.nullable(),
  decider: z.string().nullable(),
  decidedAt: instant.nullable(),
  /** Why it was refused, where somebody said so. */
  decisionReason: z.string().nullable(),
  /** How it came into force. */
  mode: z.enum(['secondPerson', 'delay']).nullable(),
  /** What the reader may do with it. */
  mayApprove: z.boolean(),
  mayRefuse: z.boolean(),
  mayWithdraw: z.boolean(),
  mayDelay: z.boolean(),
  /** Why the reader may refuse it and not approve it; `until` where waiting helps. */
  obstacle: z.object({ reason: z.enum(approvalObstacles), until: instant.nullable() }).nullable(),
  /** Who can approve it now, while it is open. */
  waitsFor: z.array(z.string()),
});
export type Approval = z.infer<typeof approval>;

/** Somebody with a role that approves. `confirmers`: the owners of whom one has to confirm them first. */
export const approver = z.object({
  email: z.string(),
  status: z.enum(approverStatuses),
  until: instant.nullable(),
  confirmers: z.array(z.string()),
});

const approvalParams = tenantParams.extend({ approvalId: id });
const deciding = ['approvals.not-open', 'approvals.second-person-needed'] as const;
const approving = [
  ...deciding,
  'approvals.too-new',
  'approvals.unconfirmed',
  'approvals.after-request',
  'approvals.requester-gone',
  'approvals.requester-yours',
  'retention.preview-needed',
  'proxy-rights.own',
] as const;

export const approvals = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/approvals',
    action: 'deletion.manage',
    summary: 'What waits for a second person, and what was decided',
    params: tenantParams,
    /** `secondPersons`: who could approve what the reader asks for now. Empty: only the delay is left, from `delayFrom` on if that is set. */
    response: z.object({
      items: z.array(approval),
      secondPersons: z.array(z.string()),
      approvers: z.array(approver),
      delayHours: z.number().int(),
      delayFrom: instant.nullable(),
    }),
  }),
  approve: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/approvals/:approvalId/approve',
    action: 'deletion.manage',
    summary: 'Approve what somebody else asked for; it comes into force at once',
    params: approvalParams,
    response: approval,
    errors: approving,
  }),
  refuse: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/approvals/:approvalId/refuse',
    action: 'deletion.manage',
    summary: 'Refuse what somebody asked for; some kinds need a reason',
    params: approvalParams,
    body: z.object({ reason: z.string().trim().max(500, { error: 'validation.tooLong' }).default('') }).default({ reason: '' }),
    response: approval,
    errors: [...deciding, 'approvals.reason-needed'],
  }),
  withdraw: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/approvals/:approvalId/withdraw',
    action: 'deletion.manage',
    summary: 'Take back what I asked for',
    params: approvalParams,
    response: approval,
    errors: ['approvals.not-open', 'approvals.not-yours'],
  }),
  delay: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/approvals/:approvalId/delay',
    action: 'deletion.manage',
    summary: 'Where there is no second person: let it come into force after 24 hours, with notice to all owners',
    params: approvalParams,
    response: approval,
    errors: [
      'approvals.not-open',
      'approvals.not-yours',
      'approvals.second-person-needed',
      'approvals.second-person-exists',
      'approvals.approver-left',
    ],
  }),
};
