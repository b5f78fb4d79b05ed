import { mayDo, roles, type Role } from '@holdfast/contract/actions';
import { isOpenApproval, type ApprovalStatus } from '@holdfast/contract/approvals';

/** Somebody who may ask for such things and approve them. */
export interface Entitled {
  readonly accountId: string;
  readonly email: string;
}

interface Request {
  readonly status: ApprovalStatus;
  readonly requestedBy: string;
}

/** The roles that may ask and approve. */
export const entitledRoles: readonly Role[] = roles.filter((role) => mayDo(role, 'deletion.manage'));

/** How long somebody has to decide. What was right to ask for weeks ago may be wrong today. */
export const LAPSE_MS = 7 * 86_400_000;

/** When a request ends that nobody decides; null for what is decided or comes into force by itself. */
export function lapsesAt(request: { readonly status: ApprovalStatus; readonly requestedAt: Date }): Date | null {
  return request.status === 'waiting' ? new Date(request.requestedAt.getTime() + LAPSE_MS) : null;
}

/** Nobody is their own second person. */
export function mayDecide(request: Request, accountId: string): boolean {
  return isOpenApproval(request) && request.requestedBy !== accountId;
}

export function mayWithdraw(request: Request, accountId: string): boolean {
  return isOpenApproval(request) && request.requestedBy === accountId;
}

/** Everybody who could be the second person for somebody. */
export function secondPersons<T extends Entitled>(entitled: readonly T[], requestedBy: string): T[] {
  return entitled.filter((person) => person.accountId !== requestedBy);
}

/** The delay is for those who have nobody to ask. */
export function mayDelay(request: Request, accountId: string, entitled: readonly Entitled[]): boolean {
  return request.status === 'waiting' && request.requestedBy === accountId && secondPersons(entitled, accountId).length === 0;
}
