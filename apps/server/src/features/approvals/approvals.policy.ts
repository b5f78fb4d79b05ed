import { isOpenApproval, type ApprovalObstacle, type ApprovalStatus } from '@holdfast/contract/approvals';
import type { Approver, Approvers } from '../organisations/index.ts';

interface Request {
  readonly status: ApprovalStatus;
  readonly requestedBy: string;
  readonly requestedAt: Date;
}

/** How long somebody has to decide. What was right to ask for weeks ago may be wrong today. */
export const LAPSE_MS = 7 * 86_400_000;

/** When a request ends that nobody decides; null for what is decided or comes into force by itself. */
export function lapsesAt(request: Pick<Request, 'status' | 'requestedAt'>): Date | null {
  return request.status === 'waiting' ? new Date(request.requestedAt.getTime() + LAPSE_MS) : null;
}

/** Nobody is their own second person. A refusal changes nothing, so that everybody else who is entitled may refuse. */
export function mayRefuse(request: Request, accountId: string): boolean {
  return isOpenApproval(request) && request.requestedBy !== accountId;
}

export function mayWithdraw(request: Request, accountId: string): boolean {
  return isOpenApproval(request) && request.requestedBy === accountId;
}

/**
 * Says what keeps an approver from being the second person of a request; null when nothing does. Somebody who lets a
 * person in must not decide with them alone, whichever of the two asks.
 */
export function obstacleOf(
  request: Pick<Request, 'requestedBy' | 'requestedAt'>,
  approver: Approver,
  { people }: Approvers,
): ApprovalObstacle | null {
  if (approver.entitledSince >= request.requestedAt) return 'afterRequest';
  if (approver.status !== 'ready') return approver.status;
  const requester = people.find(({ accountId }) => accountId === request.requestedBy);
  if (!requester) return 'requesterGone';
  return requester.status !== 'ready' && requester.entitledBy === approver.accountId ? 'requesterYours' : null;
}

/** Everybody who can be the second person of a request. */
export function secondPersons(request: Pick<Request, 'requestedBy' | 'requestedAt'>, approvers: Approvers): Approver[] {
  const others = approvers.people.filter(({ accountId }) => accountId !== request.requestedBy);
  return others.filter((person) => obstacleOf(request, person, approvers) === null);
}

/** The delay is for those who have nobody to ask, and who did not just see to it. */
export function mayDelay(request: Request, accountId: string, approvers: Approvers, at: Date): boolean {
  const isTheirs = request.status === 'waiting' && request.requestedBy === accountId;
  return isTheirs && approvers.lossEndsAt === null && !hasSecondPerson(accountId, approvers, at);
}

/** Whether somebody could approve what this person asks for now. */
export function hasSecondPerson(accountId: string, approvers: Approvers, at: Date): boolean {
  return secondPersons({ requestedBy: accountId, requestedAt: at }, approvers).length > 0;
}
